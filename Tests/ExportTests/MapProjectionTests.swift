import Quantities
import Testing

@testable import Export

@Suite("The projection of a report's drawing")
struct MapProjectionTests {
    /// Returns the length of a step in units of the drawing.
    private func length(
        _ projection: MapProjection, from place: Coordinate, east: Double, north: Double
    ) -> Double {
        let end = projection.place(place.moved(east: Metres(east), north: Metres(north)))
        let start = projection.place(place)
        return ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y)).squareRoot()
    }

    @Test(
        "The drawing is to scale: a kilometre has the same length in both directions.",
        arguments: [0.0, 52.5, -70.0, 47.1])
    func scale(latitude: Double) throws {
        let centre = try #require(Coordinate(latitude: latitude, longitude: 13.4))
        let corners = [
            centre.moved(east: Metres(-4000), north: Metres(-3000)),
            centre.moved(east: Metres(4000), north: Metres(3000)),
        ]
        let projection = try #require(MapProjection(corners))
        let kilometre = 1000 / projection.unit.value
        #expect(abs(length(projection, from: centre, east: 1000, north: 0) / kilometre - 1) < 0.002)
        #expect(abs(length(projection, from: centre, east: 0, north: 1000) / kilometre - 1) < 0.002)
    }

    @Test("North is up, east is right, and all positions are within the border.")
    func orientation() throws {
        let centre = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
        let places = [(0.0, 0.0), (20_000, 500), (-3000, 9000), (400, -7000)].map {
            centre.moved(east: Metres($0.0), north: Metres($0.1))
        }
        let projection = try #require(MapProjection(places))
        let drawn = places.map(projection.place)
        #expect(drawn[1].x > drawn[0].x && drawn[2].y < drawn[0].y)
        for place in drawn {
            #expect((59...941).contains(place.x) && place.y >= 59 && place.y <= projection.height - 59)
        }
    }

    @Test("A track across the date line is drawn in one piece.")
    func dateLine() throws {
        let west = try #require(Coordinate(latitude: -17, longitude: 179.99))
        let east = try #require(Coordinate(latitude: -17, longitude: -179.99))
        let projection = try #require(MapProjection([west, east]))
        #expect(projection.place(east).x > projection.place(west).x)
        #expect(projection.unit < Metres(5))
    }

    @Test("The noise of a vehicle that never moved does not fill the drawing; without a position, there is no drawing.")
    func standing() throws {
        let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
        let projection = try #require(MapProjection([place, place.moved(east: Metres(2), north: Metres(1))]))
        #expect(abs(projection.place(place).x - 500) < 20)
        #expect(MapProjection([]) == nil)
    }

    @Test(
        "The scale bar has a round length, and is at most a quarter of the width.",
        arguments: [(200.0, "50 m"), (2000, "500 m"), (9000, "2 km"), (45_000, "10 km"), (400_000, "100 km")])
    func scaleBar(breadth: Double, label: String) throws {
        let start = try #require(Coordinate(latitude: 0, longitude: 10))
        let end = start.moved(east: Metres(breadth), north: .zero)
        let projection = try #require(MapProjection([start, end]))
        #expect(projection.scaleLabel == label)
        #expect(projection.scaleBar.value / projection.unit.value <= 250)
    }

    @Test("The limits of the speed classes are round, and the number of classes depends on the highest speed.")
    func speeds() {
        #expect(SpeedScale(highest: MetresPerSecond(13)).bounds == [0, 10, 20, 30, 40, 50])
        #expect(SpeedScale(highest: MetresPerSecond(35)).bounds == [0, 20, 40, 60, 80, 100, 120, 140])
        #expect(SpeedScale(highest: .zero).bounds == [0, 1, 2])
        let scale = SpeedScale(highest: MetresPerSecond(13))
        #expect([0, 2.7, 2.8, 13, 100].map { scale.index(of: MetresPerSecond($0)) } == [0, 0, 1, 4, 4])
    }
}
