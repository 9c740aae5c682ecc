package struct MapBackground: Sendable {
    let images: [TilePlan.Tile: TileImage]
    let highestZoom: Int
    /// The author, whom the report must name.
    let attribution: String

    /// For the plan with the same `highestZoom`.
    package init(_ images: [TilePlan.Tile: TileImage], highestZoom: Int, attribution: String) {
        (self.images, self.highestZoom, self.attribution) = (images, highestZoom, attribution)
    }

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
    package static let longest_bytes = 256 << 10

    /// A `data:` URL (RFC 2397).
    let address: Markup

    /// PNG, JPEG or WebP; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes) else { return nil }
        address = "data:image/\(type);base64,\(base64: bytes)"
    }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        let isWebP = bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "webp" : nil
    }
}
