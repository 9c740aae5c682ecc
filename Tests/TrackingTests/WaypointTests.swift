import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A waypoint")
struct WaypointTests {
    /// One row of OwnTracks' table; `CompatibilityRow.ownTracks` numbers these rows from 1 to 9.
    struct Row: Sendable {
        var isAutomatic = false
        var text = "Depot"
        var hasBeacon = false
        var radius: Double?
        var isShared = true
        var event: Transition.Trigger?
        var eventText: String?
        var isTold = false
    }

    static let rows = [
        Row(isAutomatic: true, hasBeacon: true, radius: 100),
        Row(text: "", hasBeacon: true, radius: 100),
        Row(isTold: true),
        Row(radius: 100, isShared: false, event: .area),
        Row(radius: 100, event: .area, eventText: "Depot", isTold: true),
        Row(hasBeacon: true, isShared: false, event: .beacon),
        Row(hasBeacon: true, event: .beacon, eventText: "Depot", isTold: true),
        Row(hasBeacon: true, radius: 100, isShared: false, event: .area),
        Row(hasBeacon: true, radius: 100, event: .area, eventText: "Depot", isTold: true),
    ]

    @Test("A waypoint is reported, and watched by its border or its beacon, as in OwnTracks' table.", arguments: rows)
    func table(row: Row) throws {
        let waypoint = Waypoint(
            text: row.text, coordinate: Samples.home, radius: row.radius.map(Metres.init),
            beacon: row.hasBeacon ? BeaconIdentity(uuid: Samples.uuid) : nil, defined: Samples.start,
            isAutomatic: row.isAutomatic, isShared: row.isShared)
        #expect(waypoint.isTold == row.isTold)

        var tracker = RegionTracker()
        if case .region(let region) = try waypoint.watching() { tracker.set([region]) }
        var told = tracker.handle(try Samples.accepted(0))
        told += tracker.handle(beaconRegion: waypoint.key, isPresent: true, at: Samples.start, position: nil)
        told += tracker.handle(try Samples.accepted(100, east: 400))
        told += tracker.handle(
            beaconRegion: waypoint.key, isPresent: false, at: Samples.start + .seconds(200), position: nil)
        #expect(told.map(\.transition.direction) == (row.event == nil ? [] : [.enter, .leave]))
        #expect(told.allSatisfy { $0.transition.trigger == row.event && $0.transition.text == row.eventText })
    }

    @Test("A waypoint with a radius of 0 or none, and no beacon, is not watched.", arguments: [0.0, nil, -50])
    func off(radius: Double?) throws {
        let waypoint = Waypoint(
            text: "Depot", coordinate: Samples.home, radius: radius.map(Metres.init), defined: Samples.start)
        #expect(try waypoint.watching() == .nothing)
        #expect(waypoint.isTold)
    }

    @Test("A waypoint without a place is not watched by its border.")
    func noPlace() throws {
        #expect(try Waypoint(text: "Depot", radius: Metres(100), defined: Samples.start).watching() == .nothing)
    }

    @Test(
        "A waypoint is identified by the server's key, or otherwise by its time of creation.",
        arguments: [("a1b2", "a1b2"), (nil, "1777852800")])
    func key(id: String?, expected: String) {
        #expect(Waypoint(text: "Depot", defined: Samples.start, id: id).key == expected)
    }

    @Test("A waypoint with a negative radius moves to where its beacon is found and lost.")
    func negativeRadius() throws {
        let waypoint = Waypoint(
            text: "Case", coordinate: Samples.home, radius: Metres(-100), beacon: BeaconIdentity(uuid: Samples.uuid),
            defined: Samples.start)
        guard case .region(let region) = try waypoint.watching() else {
            Issue.record("The waypoint is not watched.")
            return
        }
        var tracker = RegionTracker([region])
        let place = try Samples.accepted(0, east: 700).position
        let enter = tracker.handle(beaconRegion: waypoint.key, isPresent: true, at: Samples.start, position: place)
        #expect(enter.map(\.movesWaypoint) == [true])
        #expect(waypoint.moved(to: place.coordinate).coordinate == place.coordinate)
        #expect(waypoint.moved(to: place.coordinate).radius == Metres(-100))
    }

    @Test("The error for a waypoint that cannot be watched states the reason.")
    func refused() {
        let tooLarge = Waypoint(
            text: "World", coordinate: Samples.home, radius: Metres(6_000_000), defined: Samples.start)
        #expect(throws: RegionError(region: "World", cause: .radius(Metres(6_000_000)))) { try tooLarge.watching() }
        let noBeacon = Waypoint(text: "Van", beacon: BeaconIdentity(uuid: "van"), defined: Samples.start)
        #expect(throws: RegionError(region: "Van", cause: .uuid("van"))) { try noBeacon.watching() }
    }
}

@Suite("The description of a waypoint")
struct WaypointLabelTests {
    @Test(
        "A waypoint's description may name a beacon, where 0 stands for any number.",
        arguments: [
            ("Van:6D1F2A90-4C3E-4B7A-9E55-0A1B2C3D4E5F", "Van", nil as UInt16?, nil as UInt16?),
            ("Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:7", "Van", 7, nil),
            ("Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:7:65535", "Van", 7, 65535),
            ("Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:0:9", "Van", nil, 9),
            ("Bay 3: Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:0:0", "Bay 3: Van", nil, nil),
            ("-Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", "Van", nil, nil),
        ])
    func beacon(text: String, name: String, major: UInt16?, minor: UInt16?) {
        let label = WaypointLabel(text)
        #expect(label.name == name)
        #expect(label.beacon == BeaconIdentity(uuid: Samples.uuid, major: major, minor: minor))
    }

    @Test(
        "A waypoint's description is a name if it has no valid beacon and no valid modes.",
        arguments: [
            "Home", "Depot: north", "Van:6d1f2a90", "Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:70000",
            "Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:1:2:3", "Van:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4eég:1",
            "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", "Home|1", "Home|1|9", "Home|a|b", "-",
        ])
    func plain(text: String) {
        let label = WaypointLabel(text)
        #expect(label.name == text)
        #expect(label.beacon == nil && label.modeOnEnter == nil && label.modeOnLeave == nil)
    }

    @Test(
        "A waypoint's description with a leading - sets a hold-down of 3 s.",
        arguments: [("-Garage", 3), ("Garage", 0), ("Gar-age", 0)])
    func holdDown(text: String, seconds: Int) throws {
        let waypoint = Waypoint(text: text, coordinate: Samples.home, radius: Metres(50), defined: Samples.start)
        guard case .region(let region) = try waypoint.watching() else {
            Issue.record("The waypoint is not watched.")
            return
        }
        #expect(region.options.holdDown == .seconds(seconds))
        #expect(region.text == (seconds > 0 ? "Garage" : text))
    }

    @Test(
        "A waypoint's description may end in the modes to switch to.",
        arguments: [
            ("Home|1|2", "Home", MonitoringMode.significant, MonitoringMode.move), ("A|B|-1|0", "A|B", .quiet, .manual),
            ("-Home|2|1:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", "Home", .move, .significant),
            ("Home:6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f:1:2|2|1", "Home", .move, .significant),
        ])
    func modes(text: String, name: String, enter: MonitoringMode, leave: MonitoringMode) {
        let label = WaypointLabel(text)
        #expect(label.name == name)
        #expect(label.modeOnEnter == enter)
        #expect(label.modeOnLeave == leave)
        #expect((label.beacon != nil) == text.contains(":"))
    }

    @Test(
        "A waypoint's description with a leading + is a circle that moves along.",
        arguments: [("+follow", 30), ("+60follow", 60), ("+", 30), ("+0x", 30)])
    func follow(text: String, seconds: Int) throws {
        let waypoint = Waypoint(text: text, defined: Samples.start, id: "f")
        let name = RegionName(id: "f", name: text)
        #expect(try waypoint.watching() == .follow(FollowRegion(name, lead: .seconds(seconds))))
    }
}

@Suite("A moving circle")
struct FollowRegionTests {
    private var circle = FollowRegion(RegionName(id: "f", name: "+follow"))

    @Test(
        "A moving circle has the radius that the vehicle travels in the circle's time, and at least 50 m.",
        arguments: [(speed: 20.0 as Double?, inside: 594.0, outside: 606.0), (1, 44, 56), (0, 44, 56), (nil, 44, 56)])
    mutating func radius(speed: Double?, inside: Double, outside: Double) throws {
        circle.recentre(at: try Samples.accepted(0, speed: speed).position)
        #expect(!circle.isLeft(by: try Samples.accepted(1, east: inside).position))
        #expect(circle.isLeft(by: try Samples.accepted(2, east: outside).position))
    }

    @Test("A fix that is outside a moving circle by less than its error leaves the circle only with a second such fix.")
    mutating func twice() throws {
        circle.recentre(at: try Samples.accepted(0, speed: 0).position)
        #expect(!circle.isLeft(by: try Samples.accepted(1, east: 53).position))
        #expect(!circle.isLeft(by: try Samples.accepted(2, east: 49).position))
        #expect(!circle.isLeft(by: try Samples.accepted(3, east: 53).position))
        #expect(circle.isLeft(by: try Samples.accepted(4, east: 53).position))
    }

    @Test("A moving circle has no place before the first record, and moves to the place of each record.")
    mutating func recentred() throws {
        #expect(!circle.isLeft(by: try Samples.accepted(0, east: 5000).position))
        circle.recentre(at: try Samples.accepted(1, east: 5000, speed: 0).position)
        #expect(!circle.isLeft(by: try Samples.accepted(2, east: 5030).position))
        #expect(circle.isLeft(by: try Samples.accepted(3, east: 5060).position))
        circle.recentre(at: try Samples.accepted(3, east: 5060, speed: 0).position)
        #expect(!circle.isLeft(by: try Samples.accepted(4, east: 5090).position))
    }
}
