import Foundation
import Quantities
import Testing

@testable import Export

@Suite("The map behind a report's track")
struct MapBackgroundTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns a report about a drive of 3 km to the east, which begins at 52.5° north and 13.4° east.
    private func report() throws -> DriveReport {
        var samples = ReportSamples()
        samples.drive(from: 3600, seconds: 300)
        var report = DriveReport(try ReportSamples.input())
        for record in samples.records { report.add(record) }
        return report
    }

    /// The expected numbers come from the formulas of the OpenStreetMap wiki (page "Slippy map tilenames") with
    /// 3000 m = 0.04417596° of longitude on the WGS84 ellipsoid, and 880 units for 3000 m.
    @Test("The tiles are those of the known track, and cover the whole drawing.")
    func tiles() throws {
        let plan = try #require(try report().tiles(highestZoom: 19))
        let expected = (10_748...10_750).flatMap { y in
            (17_603...17_607).map { TilePlan.Tile(zoom: 15, x: $0, y: y) }
        }
        #expect(plan.tiles == expected)
        #expect(abs(plan.width - 218.85133817735587) < 1e-3)
        let first = try #require(plan.placements.first)
        #expect(abs(first.corner.x + 92.70960041681656) < 0.02 && abs(first.corner.y + 102.03754251247358) < 0.02)
        let last = try #require(plan.placements.last)
        #expect(last.corner.x + plan.width > 1000 && last.corner.y + plan.width > 420)
    }

    @Test("A tile's corner is where the drawing places a position at this corner.")
    func alignment() throws {
        let projection = try #require(try report().tileProjection)
        let plan = TilePlan(projection, highestZoom: 19)
        // The corner of the tile 15/17610/10746 by the formula of the OpenStreetMap wiki.
        let corner = try #require(Coordinate(latitude: 52.522905940278065, longitude: 13.46923828125))
        let place = projection.place(corner)
        let first = try #require(plan.placements.first)
        #expect(abs(place.x - (first.corner.x + 7 * plan.width)) < 1e-6)
        #expect(abs(place.y - (first.corner.y - 2 * plan.width)) < 1e-6)
    }

    @Test("The highest zoom level of the server limits the zoom level of the tiles, and a tile is fetched once.")
    func zoom() throws {
        let plan = try #require(try report().tiles(highestZoom: 12))
        #expect(plan.tiles.allSatisfy { $0.zoom == 12 } && plan.tiles.contains { $0.x == 2200 && $0.y == 1343 })
        let world = try #require(
            MapProjection([Self.place(10, -180), Self.place(-10, 0), Self.place(0, 179)], .mercator))
        let whole = TilePlan(world, highestZoom: 0)
        #expect(whole.tiles == [TilePlan.Tile(zoom: 0, x: 0, y: 0)])
        #expect(whole.placements.count > 1)
    }

    @Test("Across the date line, the columns continue at 0; near a pole, there is no map.")
    func edges() throws {
        let fiji = try #require(MapProjection([Self.place(-17, 179.99), Self.place(-17, -179.99)], .mercator))
        let plan = TilePlan(fiji, highestZoom: 19)
        let columns = plan.placements.prefix { $0.tile.y == plan.placements.first?.tile.y }.map(\.tile.x)
        let most = 1 << (plan.tiles.first?.zoom ?? 0)
        #expect(columns.contains(most - 1) && columns.contains(0) && columns.allSatisfy { (0..<most).contains($0) })
        let north = try Self.place(85.06, 0)
        #expect(MapProjection([north], .mercator) == nil)
        #expect(MapProjection([north]) != nil)
    }

    @Test("A drawing needs at most 30 tiles.", arguments: [0.0, 30, -52.5, 70, 84])
    func count(latitude: Double) throws {
        for step in 0..<40 {
            let size = 100 * pow(1.25, Double(step))
            let start = try Self.place(latitude, 13)
            for (east, north) in [(size, 0), (size, size), (0, size)] {
                let end = start.moved(east: Metres(min(east, 3e6)), north: Metres(-min(north, 3e6)))
                guard let projection = MapProjection([start, end], .mercator) else { continue }
                #expect((1...30).contains(TilePlan(projection, highestZoom: 22).tiles.count), "\(size) m")
            }
        }
    }

    @Test(
        "The page contains each image once as data, names the author as text, and still permits nothing from outside.")
    func page() throws {
        var report = try report()
        let plan = try #require(report.tiles(highestZoom: 19))
        let images = plan.tiles.compactMap { tile in
            TileImage(Self.png + Array("\(tile.zoom)/\(tile.x)/\(tile.y)".utf8)).map { (tile, $0) }
        }
        report.background = MapBackground(
            Dictionary(uniqueKeysWithValues: images), highestZoom: 19, attribution: "© <b>Example</b>")
        let page = report.html
        let pattern =
            /<image x="([-\d.]+)" y="([-\d.]+)" width="219.35" height="219.35" preserveAspectRatio="none" href="data:image\/png;base64,([^"]+)"\/>/
        let found = page.matches(of: pattern)
        #expect(found.count == 15 && page.components(separatedBy: "<image").count == 16)
        for match in found {
            let data = try #require(Data(base64Encoded: String(match.3)))
            let parts = String(decoding: data.dropFirst(8), as: UTF8.self).split(separator: "/").compactMap { Int($0) }
            #expect(parts.count == 3 && parts[0] == 15)
            let x = -92.7096 + Double(parts[1] - 17_603) * 218.85134
            let y = -102.0375 + Double(parts[2] - 10_748) * 218.85134
            #expect(abs((Double(match.1) ?? .nan) - x) < 0.05 && abs((Double(match.2) ?? .nan) - y) < 0.05)
        }
        #expect(page.contains(#"<p class="attribution">© &lt;b&gt;Example&lt;/b&gt;</p>"#))
        #expect(page.contains("img-src data:; base-uri 'none'") && page.contains("default-src 'none'"))
        for word in ["http://", "https://", "url(", "<script", "src="] { #expect(!page.contains(word), "\(word)") }
        // The map replaces the grid.
        #expect(!page.contains(#"class="grid""#))
    }

    @Test(
        "Base64 is that of Foundation for each length.", arguments: 0...7)
    func base64(count: Int) {
        let bytes = (0..<count).map { UInt8(200 + $0 * 7) }
        let markup: Markup = "\(base64: bytes)"
        #expect(markup.text == Data(bytes).base64EncodedString())
    }

    @Test("Only PNG, JPEG and WebP are images of a map.")
    func types() {
        #expect(TileImage(Self.png)?.address.text.hasPrefix("data:image/png;base64,iVBORw0KGgo") == true)
        #expect(TileImage([0xFF, 0xD8, 0xFF, 0xE0])?.address.text.hasPrefix("data:image/jpeg;") == true)
        #expect(TileImage(Array("RIFF1234WEBPVP8 ".utf8))?.address.text.hasPrefix("data:image/webp;") == true)
        for text in ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "", "RIFF1234WAVE", "GIF89a"] {
            #expect(TileImage(Array(text.utf8)) == nil)
        }
    }

    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }
}

extension DriveReport {
    /// The projection of the drawing with a map.
    fileprivate var tileProjection: MapProjection? { page.drawing(.mercator)?.projection }
}
