import Quantities

/// The map tiles behind a drawing, and their places there.
package struct TilePlan: Sendable {
    /// A tile of the map: the map at a zoom level has 2^zoom columns and as many rows.
    package struct Tile: Sendable, Hashable {
        /// The zoom level, from 0 for a single tile.
        package let zoom: Int
        /// The column, from 0 in the west to 2^zoom − 1.
        package let x: Int
        /// The row, from 0 in the north to 2^zoom − 1.
        package let y: Int
    }

    struct Placement: Sendable, Hashable {
        let tile: Tile
        let corner: MapProjection.Place
    }

    /// The zoom levels that a server may have.
    package static let zooms = 0...22
    /// The least width of a tile in the drawing, in units; a tile has 256 pixels, and a drawing about 1000.
    ///
    /// With this width, a drawing needs at most 6 × 5 tiles.
    private static let smallest = 200.0

    let placements: [Placement]
    /// The width of each tile, in units.
    let width: Double

    /// Chooses the tiles of the finest zoom level, at most `highestZoom`, at which the tiles are not too small.
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

    /// The tiles to fetch, each once.
    package var tiles: [Tile] {
        var known: Set<Tile> = []
        return placements.map(\.tile).filter { known.insert($0).inserted }
    }
}
