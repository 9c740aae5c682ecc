import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A region with a border")
struct RegionTrackerTests {
    private var tracker: RegionTracker

    init() throws { tracker = RegionTracker([try Samples.circle("depot")]) }

    @Test(
        "A region is entered at once by a fix that is inside by more than its error.",
        arguments: [
            (east: 94.0, accuracy: 5.0 as Double?, told: ["enter depot 0.0"]), (96, 5, [String]()),
            (89, nil, ["enter depot 0.0"]),
            (91, nil, []), (0, 101, []), (0, 99, ["enter depot 0.0"]),
        ])
    mutating func enter(east: Double, accuracy: Double?, told: [String]) throws {
        #expect(try tracker.drive(0, east: east, accuracy: accuracy) == told)
    }

    @Test("A region is entered by a fix that is inside by less than its error if the next fix is inside too.")
    mutating func enterTwice() throws {
        #expect(try tracker.drive(0, east: 99).isEmpty)
        #expect(try tracker.drive(1, east: 101).isEmpty)
        #expect(try tracker.drive(2, east: 99).isEmpty)
        #expect(try tracker.drive(3, east: 99) == ["enter depot 1.5"])
    }

    @Test(
        "A fix that is outside by more than its error leaves the region at once, other fixes only two in a row.",
        arguments: [(east: 106.0, isLeftAtOnce: true), (104, false)])
    mutating func leave(east: Double, isLeftAtOnce: Bool) throws {
        _ = try tracker.drive(0, east: 0)
        _ = try tracker.drive(20 - 0.001, east: 99.99)
        #expect(try tracker.drive(20, east: east) == (isLeftAtOnce ? ["leave depot 20.0"] : []))
        #expect(try tracker.drive(21, east: east) == (isLeftAtOnce ? [] : ["leave depot 20.0"]))
    }

    @Test("Positions that drift across a region's border cause no transitions.", arguments: [101.0, 99])
    mutating func flapping(startingAt east: Double) throws {
        _ = try tracker.drive(0, east: east < 100 ? 0 : 200)
        for second in 1..<100 {
            #expect(try tracker.drive(Double(second) * 20, east: second.isMultiple(of: 2) ? 104 : 96).isEmpty)
        }
    }

    @Test("A region has at most one transition in 10 s; a crossing within the 10 s is checked again at the next fix.")
    mutating func interval() throws {
        #expect(try tracker.drive(0, east: 0) == ["enter depot 0.0"])
        #expect(try tracker.drive(8, east: 120).isEmpty)
        #expect(try tracker.drive(9, east: 120).isEmpty)
        #expect(try tracker.drive(10, east: 120) == ["leave depot 10.0"])
        #expect(try tracker.drive(18, east: 0).isEmpty)
        #expect(try tracker.drive(21, east: 120).isEmpty)
        #expect(tracker.inside.isEmpty)
    }

    @Test("A transition is not repeated by a fix that confirms it.")
    mutating func repeats() throws {
        _ = try tracker.drive(0, east: 0)
        for second in 1..<50 { #expect(try tracker.drive(Double(second), east: 20).isEmpty) }
    }

    @Test(
        "A crossing is placed where the path cuts the border, unless the previous fix is a minute old.",
        arguments: [
            (before: 0.0, north: 0.0, told: ["enter depot 25.0"]), (0, 60, ["enter depot 30.0"]),
            (-9.9, 0, ["enter depot 20.1"]), (-10, 0, ["enter depot 50.0"]),
        ])
    mutating func crossing(before: Double, north: Double, told: [String]) throws {
        #expect(try tracker.drive(before, east: -200, north: north).isEmpty)
        #expect(try tracker.drive(50, east: 0, north: north) == told)
    }

    @Test("A crossing has a position on the border, with the larger of the two errors.")
    mutating func crossingPlace() throws {
        let home = try #require(Samples.home)
        _ = tracker.handle(try Samples.accepted(0, east: -200, accuracy: 12))
        let crossing = try #require(tracker.handle(try Samples.accepted(10, speed: 20, accuracy: 3)).first)
        let place = try #require(crossing.position)
        #expect((home.distance(to: place.coordinate).value - 100).magnitude < 0.1)
        #expect(place.accuracy == Metres(12))
        #expect(place.speed == MetresPerSecond(20))
    }

    @Test("A transition states the region's name, text and key, and the time that the vehicle was inside.")
    mutating func transition() throws {
        let name = RegionName(id: "depot", name: "depot")
        let enter = try #require(tracker.handle(try Samples.accepted(5)).first)
        #expect(
            enter.transition
                == Transition(.enter, by: .area, of: name, text: "depot", defined: Samples.start, inside: nil))
        let leave = try #require(tracker.handle(try Samples.accepted(305, east: 500)).first)
        #expect(
            leave.transition
                == Transition(.leave, by: .area, of: name, text: "depot", defined: Samples.start, inside: .seconds(300))
        )
    }

    @Test("A region with a hold-down is left only after the vehicle has been outside for that time.")
    mutating func holdDown() throws {
        var options = Region.Options()
        options.holdDown = .seconds(3)
        tracker = RegionTracker([try Samples.circle("depot", options: options)])
        #expect(try tracker.drive(0, east: 0) == ["enter depot 0.0"])
        #expect(try tracker.drive(100, east: 200).isEmpty)
        #expect(try tracker.drive(102, east: 0).isEmpty)
        #expect(try tracker.drive(202, east: 200).isEmpty)
        #expect(try tracker.drive(203, east: 200).isEmpty)
        #expect(try tracker.drive(205, east: 200) == ["leave depot 202.0"])
    }

    @Test("A region switches modes when it is entered and left.")
    mutating func modes() throws {
        var options = Region.Options()
        options.modeOnEnter = .significant
        options.modeOnLeave = .move
        tracker = RegionTracker([try Samples.circle("depot", options: options)])
        #expect(tracker.handle(try Samples.accepted(0)).map(\.mode) == [.significant])
        #expect(tracker.handle(try Samples.accepted(100, east: 200)).map(\.mode) == [.move])
    }

    @Test("A region may be a polygon, and a hole in the polygon is outside.")
    mutating func polygon() throws {
        tracker = RegionTracker([
            try Samples.polygon(
                "yard", [(0, 0), (300, 0), (300, 300), (0, 300)],
                hole: [(100, 100), (200, 100), (200, 200), (100, 200)])
        ])
        #expect(try tracker.drive(0, east: -50, north: 150).isEmpty)
        #expect(try tracker.drive(20, east: 50, north: 150) == ["enter yard 10.0"])
        #expect(try tracker.drive(40, east: 150, north: 150) == ["leave yard 30.0"])
        #expect(try tracker.drive(60, east: 250, north: 150) == ["enter yard 50.0"])
        #expect(try tracker.drive(80, east: 297, north: 150).isEmpty)
        #expect(try tracker.drive(100, east: 350, north: 150) == ["leave yard 81.1"])
    }

    @Test(
        "A region may cross the date line or contain a pole.",
        arguments: [(0.0, 180.0), (-17, -179.9999), (90, 0), (-89.9999, 7)])
    func edges(latitude: Double, longitude: Double) throws {
        let centre = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let circle = RegionArea.circle(centre: centre, radius: Metres(5000))
        var tracker = RegionTracker([try Samples.region("edge", .area(circle))])
        let degree = latitude.magnitude > 80 ? 89.0 : 0.02
        for (index, side) in [-1.0, 1].enumerated() {
            let fix = try fix(Double(index), latitude * 0.9999, Coordinate.turned(longitude, by: side * degree))
            #expect(tracker.handle(fix).map(\.inShort) == (index == 0 ? ["enter edge 0.0"] : []))
        }
        #expect(tracker.handle(try fix(100, latitude * 0.99 + 0.2, longitude)).map(\.inShort) == ["leave edge 100.0"])
    }

    private func fix(_ seconds: Double, _ latitude: Double, _ longitude: Double) throws -> AcceptedFix {
        var fix = Samples.fix(seconds)
        fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return try #require(AcceptedFix(fix))
    }
}

extension Coordinate {
    fileprivate static func turned(_ longitude: Double, by degrees: Double) -> Double {
        let sum = longitude + degrees
        return sum > 180 ? sum - 360 : sum < -180 ? sum + 360 : sum
    }
}
