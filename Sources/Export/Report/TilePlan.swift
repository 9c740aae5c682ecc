import Quantities

package struct TilePlan: Sendable {
    /// A zoom level has 2^zoom columns and as many rows.
    package struct Tile: Sendable, Hashable {
        package let zoom: Int
        /// From 0 in the west.
        package let x: Int
        /// From 0 in the north.
        package let y: Int
    }

    struct Placement: Sendable, Hashable {
        let tile: Tile
        let corner: MapProjection.Place
    }

    package static let zooms = 0...22
    /// In units. A tile has 256 pixels and a drawing about 1000, so a drawing needs at most 6 × 5 tiles.
    private static let smallest = 200.0

    let placements: [Placement]
    let width: Double

    /// Of the finest zoom level at which they are not too small.
    init(_ projection: MapProjection, highestZoom: Int) {
        var (zoom, count) = (0, 1.0)
        while zoom < highestZoom, projection.worldWidth / (2 * count) >= Self.smallest {
            (zoom, count) = (zoom + 1, 2 * count)
        }
        let (width, middle) = (projection.worldWidth / count, projection.middle)
        self.width = width
        let left = MapProjection.width / 2 - middle.x * projection.worldWidth
        let top = projection.height / 2 - middle.y * projection.worldWidth
        let columns = Int((-left / width).rounded(.down))...Int(((MapProjection.width - left) / width).rounded(.down))
        let rows = Int((-top / width).rounded(.down))...Int(((projection.height - top) / width).rounded(.down))
        let most = Int(count)
        placements = rows.filter { (0..<most).contains($0) }.flatMap { row in
            columns.map { column in
                // Beyond the date line, the map begins again.
                let tile = Tile(zoom: zoom, x: (column % most + most) % most, y: row)
                return Placement(
                    tile: tile,
                    corner: MapProjection.Place(x: left + Double(column) * width, y: top + Double(row) * width))
            }
        }
    }

    /// Each once.
    package var tiles: [Tile] {
        var known: Set<Tile> = []
        return placements.map(\.tile).filter { known.insert($0).inserted }
    }
}
