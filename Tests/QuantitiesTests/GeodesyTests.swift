import Quantities
import Testing

@Suite("The distance between two positions")
struct GeodesyTests {
    /// The expected values are from GeographicLib, rounded to the millimetre.
    static let lines: [(from: (Double, Double), to: (Double, Double), metres: Double, tolerance: Double)] = [
        ((52.374031, 4.889692), (52.371204, 4.886011), 402.251, 0.001),
        ((0, 0), (0, 0.001), 111.319, 0.001),
        ((60, 10), (60.001, 10.002), 157.692, 0.001),
        ((-33.9, 151.2), (-33.8, 151.3), 14445.792, 0.1),
        ((52.0, 5.0), (52.4, 5.3), 49007.266, 1),
        ((0, 179.999), (0, -179.999), 222.639, 0.001),
        ((40.04, -75.22), (39.16, -74.69), 107787.355, 10),
        ((52.37, 4.89), (41.66, -91.53), 6870148.892, 300),
        ((89.9, 0), (89.9, 180), 22338.796, 3),
    ]

    @Test("The distance between two positions agrees with the geodesic on the ellipsoid.", arguments: lines)
    func geodesic(line: (from: (Double, Double), to: (Double, Double), metres: Double, tolerance: Double)) throws {
        let from = try #require(Coordinate(latitude: line.from.0, longitude: line.from.1))
        let to = try #require(Coordinate(latitude: line.to.0, longitude: line.to.1))
        #expect((from.distance(to: to).value - line.metres).magnitude <= line.tolerance)
        #expect((to.distance(to: from).value - line.metres).magnitude <= line.tolerance)
    }

    @Test(
        "A longitude that is written near another longitude differs from it by at most 180°.",
        arguments: [(-179.0, 179.0, 181.0), (179, -179, -181)])
    func near(longitude: Double, other: Double, expected: Double) throws {
        #expect(try #require(Coordinate(latitude: 0, longitude: longitude)).longitude(near: other) == expected)
    }

    @Test("The distance from a position to itself is 0.")
    func same() throws {
        let place = try #require(Coordinate(latitude: 52.374031, longitude: 4.889692))
        #expect(place.distance(to: place) == .zero)
    }

    @Test("The distance to a moved position is the distance of the move.")
    func moved() throws {
        let place = try #require(Coordinate(latitude: 52.374031, longitude: 4.889692))
        let moved = place.moved(east: Metres(30), north: Metres(-40))
        #expect((place.distance(to: moved).value - 50).magnitude < 0.001)
        #expect((place.offset(to: moved).east.value - 30).magnitude < 0.001)
    }

    @Test(
        "A coordinate must be a position on the earth.",
        arguments: [(91, 0), (0, 181), (Double.nan, 0), (0, .infinity)])
    func nowhere(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }
}
