/// The map behind the track of a report.
package struct MapBackground: Sendable {
    /// The images that the server had.
    let images: [TilePlan.Tile: TileImage]
    /// The highest zoom level of the tiles.
    let highestZoom: Int
    /// The author of the map, which the report must name.
    let attribution: String

    /// Makes a background from images for the plan with the same `highestZoom`.
    package init(_ images: [TilePlan.Tile: TileImage], highestZoom: Int, attribution: String) {
        (self.images, self.highestZoom, self.attribution) = (images, highestZoom, attribution)
    }

    /// Returns the images at their places in a drawing.
    func markup(_ projection: MapProjection) -> Markup {
        let plan = TilePlan(projection, highestZoom: highestZoom)
        // A browser would show a fine line between two images that only touch.
        let width = plan.width + 0.5
        let elements = plan.placements.compactMap { placement -> Markup? in
            guard let image = images[placement.tile] else { return nil }
            return """
                <image x="\(placement.corner.x)" y="\(placement.corner.y)" width="\(width)" height="\(width)" \
                preserveAspectRatio="none" href="\(image.address)"/>
                """
        }
        return #"<g class="tiles">\#(Markup(elements))</g>"#
    }
}

package struct TileImage: Sendable, Hashable {
    /// The maximum size of an image, in bytes.
    package static let longest_bytes = 256 << 10

    /// The type and the bytes as a `data:` URL (RFC 2397).
    let address: Markup

    /// Reads the bytes of a PNG, JPEG or WebP image; nil if they are not the beginning of such an image.
    package init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes) else { return nil }
        address = "data:image/\(type);base64,\(base64: bytes)"
    }

    /// Returns the type by the signature at the beginning of the bytes; nil for an unknown signature.
    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "webp" : nil
    }
}
