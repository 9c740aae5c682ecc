import Quantities
import Testing

@Suite("Web Mercator")
struct WebMercatorTests {
    /// The columns and rows follow from the logarithmic formula of the OpenStreetMap wiki, page "Slippy map tilenames"; the
    /// first row is the example of that page (tile 18/232798/103246).
    @Test(
        "A position is in the tile that the formula of the OpenStreetMap wiki names.",
        arguments: [
            (35.6590699, 139.7006793, 18, 232_798.93020672, 103_246.41043781971),
            (52.52, 13.405, 14, 8802.076444444445, 5373.21735468017),
            (-33.8568, 151.2153, 12, 3768.49408, 2457.8134381185714), (0, 0, 1, 1.0, 1.0),
        ])
    func tile(latitude: Double, longitude: Double, zoom: Int, column: Double, row: Double) throws {
        let place = WebMercator(try #require(Coordinate(latitude: latitude, longitude: longitude)))
        let count = Double(1 << zoom)
        #expect(abs(place.x * count - column) < 1e-6 && abs(place.y * count - row) < 1e-6)
        #expect(abs(WebMercator.latitude(y: place.y) - latitude) < 1e-9)
    }

    @Test("The map ends at 85.0511° in the north and in the south.")
    func edges() {
        #expect(abs(WebMercator.y(latitude: WebMercator.highestLatitude)) < 1e-12)
        #expect(abs(WebMercator.y(latitude: -WebMercator.highestLatitude) - 1) < 1e-12)
    }
}
