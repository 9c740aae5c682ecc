import Quantities
import Testing

@Suite("A ring of points")
struct RingTests {
    /// A square of one degree at 52° north, with the first point repeated.
    static let square = [(52.0, 5.0), (52.0, 6.0), (53.0, 6.0), (53.0, 5.0), (52.0, 5.0)]
    /// A triangle across the date line, near Fiji.
    static let fiji = [(-17.0, 179.5), (-18.0, -179.5), (-19.0, 179.5)]

    @Test(
        "A ring contains the positions inside it.",
        arguments: [
            (square, (52.5, 5.5), true), (square, (52.001, 5.999), true), (square, (52.5, 6.001), false),
            (square, (53.001, 5.5), false), (square, (51.999, 5.5), false), (square, (52.5, -174.5), false),
            (fiji, (-18, 179.9), true), (fiji, (-18, -179.9), true), (fiji, (-18, 180), true),
            (fiji, (-18, -180), true), (fiji, (-18, 179.4), false), (fiji, (-17.2, -179.6), false),
            (fiji, (-18, 0), false),
        ])
    func inside(ring: [(Double, Double)], place: (Double, Double), isInside: Bool) throws {
        let ring = try Ring(ring.map(Self.coordinate))
        let place = try Self.coordinate(place)
        #expect(ring.isAround(place) == isInside)
        #expect(ring.box.contains(place) || !isInside)
    }

    @Test("A ring encloses the same area with any first point and direction.", arguments: 0..<3, [false, true])
    func rotated(by shift: Int, isReversed: Bool) throws {
        let points = Array((Self.fiji + Self.fiji)[shift..<shift + 3])
        let ring = try Ring((isReversed ? points.reversed() : points).map(Self.coordinate))
        #expect(ring.isAround(try Self.coordinate((-18.2, 179.95))))
        #expect(!ring.isAround(try Self.coordinate((-18.2, -179.55))))
        #expect(ring.box.contains(try Self.coordinate((-18, -179.5))))
        #expect(!ring.box.contains(try Self.coordinate((-18, -179.4))))
    }

    @Test(
        "The nearest point of a ring is on an edge or at a corner.",
        arguments: [
            (square, (52.5, 5.001), (52.5, 5.0)), (square, (52.5, 4.9), (52.5, 5.0)),
            (square, (51.9, 4.9), (52.0, 5.0)), (fiji, (-18, 179.4), (-18, 179.5)),
            (fiji, (-18, -179.4), (-18, -179.5)),
        ])
    func nearest(ring: [(Double, Double)], place: (Double, Double), expected: (Double, Double)) throws {
        let nearest = try Ring(ring.map(Self.coordinate)).nearestPoint(to: try Self.coordinate(place))
        #expect(nearest.distance(to: try Self.coordinate(expected)) < Metres(0.01))
    }

    @Test("A ring stores each corner once.")
    func corners() throws {
        #expect(try Ring(Self.square.map(Self.coordinate)).points.count == 4)
    }

    @Test("A ring needs three different points.", arguments: [0, 1, 2])
    func tooFew(count: Int) throws {
        let points = try (Self.square.prefix(count) + Self.square.prefix(count)).map(Self.coordinate)
        #expect(throws: Ring.Problem.tooFewPoints(count)) { try Ring(points) }
    }

    @Test("A ring around a pole is refused.", arguments: [80.0, -80])
    func pole(latitude: Double) throws {
        let points = try [0.0, 90, 180, -90].map { try Self.coordinate((latitude, $0)) }
        #expect(throws: Ring.Problem.aroundPole) { try Ring(points) }
    }

    static func coordinate(_ pair: (Double, Double)) throws -> Coordinate {
        try #require(Coordinate(latitude: pair.0, longitude: pair.1))
    }
}

@Suite("Bounding boxes")
struct BoundingBoxTests {
    @Test(
        "A bounding box contains the positions within the radius, and few others.",
        arguments: [
            (centre: (0.0, 0.0), place: (0.0, 0.0089), isInside: true), ((0, 0), (0, 0.0091), false),
            ((0, 0), (0.00904, 0), true), ((0, 0), (0.0092, 0), false), ((60, 10), (60, 10.0179), true),
            ((60, 10), (60, 10.0182), false), ((0, 179.999), (0, -179.9921), true), ((0, 179.999), (0, -179.9), false),
            ((0, -179.999), (0, 179.9921), true), ((0, 180), (0, -180), true), ((0, -180), (0, 180), true),
            ((89.999, 0), (89.995, 180), true), ((89.999, 0), (89.98, 180), false), ((-89.999, 0), (-90, 77), true),
        ])
    func kilometre(centre: (Double, Double), place: (Double, Double), isInside: Bool) throws {
        let box = BoundingBox(around: try RingTests.coordinate(centre), radius: Metres(1000))
        #expect(box.contains(try RingTests.coordinate(place)) == isInside)
    }

    @Test("A bounding box extends to a position in the shorter direction around the earth.")
    func extended() throws {
        var box = BoundingBox(latitudes: 0...0, longitudes: 100...170)
        box.extend(to: try RingTests.coordinate((0, -100)))
        #expect(box.contains(try RingTests.coordinate((0, -170))))
        #expect(!box.contains(try RingTests.coordinate((0, 0))))
    }

    @Test("A bounding box misses no position within the radius, anywhere on earth.", arguments: 0..<21)
    func everywhere(seed: Int) throws {
        let latitude = Double(seed) * 180 / 20 - 90
        let centre = try RingTests.coordinate((latitude, Double(seed) * 360 / 20 - 180))
        for radius in [3000.0, 40_000, 400_000, 4_000_000] {
            let box = BoundingBox(around: centre, radius: Metres(radius))
            let degrees = radius / 100_000
            var (held, missed) = (0, 0)
            for row in -12...12 {
                for column in -20...20 {
                    let north = latitude + Double(row) * degrees / 12
                    let east = centre.longitude + Double(column) * min(9, degrees / 7)
                    guard let place = Coordinate(latitude: north, longitude: east) else { continue }
                    guard centre.distance(to: place) <= Metres(radius) else { continue }
                    if box.contains(place) { held += 1 } else { missed += 1 }
                }
            }
            #expect(missed == 0 && held > 40, "radius \(radius)")
        }
    }
}
