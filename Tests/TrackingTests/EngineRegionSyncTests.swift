import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Regions of servers in the engine")
struct EngineRegionSyncTests {
    private var world = World()
    private let lists: [ServerRegions]

    init() throws {
        lists = [
            ServerRegions(
                target: "home",
                regions: [try Samples.circle("first", east: 300), try Samples.circle("second", east: 800)])
        ]
        world = World {
            $0.syncGeofences = true
            $0.syncGeofencesLimit = 1
        }
        world.park()
    }

    private mutating func set(_ key: String, _ value: OptionValue, at seconds: Double) -> [Effect] {
        let layer = OptionLayer(.custom, name: "own", [OptionAssignment(key, value, source: "test")])
        return world.tell(.options(.custom, [layer]), at: seconds)
    }

    private var watched: [String] { world.engine.status.watchedRegions.map(\.id) }

    @Test("With a limit of 1, the vehicle enters and leaves two regions, and the tracker watches the nearer one.")
    mutating func limit() throws {
        _ = world.tell(.serverRegions(lists), at: 50)
        #expect(watched == ["first"])
        let effects = world.drive(from: 100, seconds: 100)
        #expect(effects.transitions == ["enter first", "leave first", "enter second", "leave second"])
        #expect(watched == ["second"])
        #expect(world.engine.status.origin(of: lists[0].regions[1]) == .server(target: "home"))
    }

    @Test(
        "If the option is switched off while the program runs, the regions are no longer watched, until it is on again."
    )
    mutating func switched() throws {
        _ = world.tell(.serverRegions(lists), at: 50)
        _ = set("syncGeofences", .flag(false), at: 60)
        #expect(watched.isEmpty)
        #expect(world.drive(from: 100, seconds: 30).transitions.isEmpty)
        _ = set("syncGeofences", .flag(true), at: 131)
        #expect(
            world.drive(from: 132, seconds: 70).transitions == [
                "enter first", "leave first", "enter second", "leave second",
            ])
    }

    @Test("A restart in a region of a server repeats no entry, and the exit is recorded with the duration.")
    mutating func restart() throws {
        _ = world.tell(.serverRegions(lists), at: 50)
        #expect(world.drive(from: 100, seconds: 30).transitions == ["enter first"])
        world.engine = Engine(
            world.engine.configuration, serverRegions: lists, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start + .seconds(131), isTrusted: true), at: 131)
        _ = world.tell(.started, at: 131)
        #expect(world.engine.status.regionsInside.map(\.id) == ["first"])
        #expect(world.drive(from: 132, seconds: 20).transitions == ["leave first"])
    }

    @Test("A state that the store finds only after the start continues in a region of a server.")
    mutating func resumed() throws {
        _ = world.tell(.serverRegions(lists), at: 50)
        world.drive(from: 100, seconds: 30)
        var former = world.engine.state
        former.isMoving = false
        world.engine = Engine(world.engine.configuration)
        _ = world.tell(.wallClock(Samples.start + .seconds(131), isTrusted: true), at: 131)
        _ = world.tell(.started, at: 131)
        _ = world.tell(.serverRegions(lists), at: 132)
        _ = world.tell(.resumed(former), at: 132)
        #expect(world.engine.status.regionsInside.map(\.id) == ["first"])
        #expect(world.engine.status.serverRegions == lists)
    }

    @Test(
        "A waypoint with the name of a server's region is watched instead of that region, until the waypoint is removed."
    )
    mutating func waypoint() throws {
        _ = set("syncGeofencesLimit", .count(9), at: 40)
        _ = world.tell(.serverRegions(lists), at: 50)
        #expect(watched == ["first", "second"])
        let waypoint = Waypoint(
            text: "second", coordinate: Samples.home, radius: Metres(70), defined: Samples.start)
        _ = world.tell(.command(.waypoint(waypoint)), at: 60)
        #expect(watched == ["first", waypoint.key])
        #expect(world.engine.status.hiddenRegionCount(of: "home") == 1)
        _ = world.tell(.command(.forgetWaypoint(waypoint.key)), at: 70)
        #expect(watched == ["first", "second"])
    }

    @Test(
        "The engine requests regions at the start, and again when the vehicle has left the area of the nearest regions."
    )
    mutating func requests() throws {
        var world = World {
            $0.syncGeofences = true
            $0.syncGeofencesLimit = 2
        }
        world.engine = Engine(world.engine.configuration)
        let start = world.tell(.started, at: 0).queries
        #expect(start == [RegionQuery(place: nil, limit: 2)], "the position is unknown")
        let fixes = [1.0, 2].flatMap { world.tell(.fix(Samples.fix($0)), at: $0) }
        #expect(fixes.queries.map { $0?.place } == [Samples.home])
        _ = world.tell(.serverRegions(lists), at: 50)
        let queries = world.drive(from: 100, seconds: 230).queries
        #expect(queries.count == 2)
        // Both regions are nearer than 1 km, so the vehicle must drive 1 km before the next request.
        let home = try #require(Samples.home)
        let distances = queries.compactMap { $0?.place }.map { $0.distance(to: home).value }
        #expect(distances.count == 2 && (1000...1011).contains(distances[0]) && (2000...2022).contains(distances[1]))
    }

    @Test(
        "Servers do not learn the position in a mode without unrequested records, or if no record is uploaded.",
        arguments: [
            ("monitoring", OptionValue.choice(MonitoringMode.quiet)), ("monitoring", .choice(MonitoringMode.manual)),
            ("sync", .choice(SyncRule.none)),
        ])
    mutating func privacy(key: String, value: OptionValue) throws {
        let effects = set(key, value, at: 60)
        #expect(effects.queries == [RegionQuery(place: nil, limit: 1)])
        #expect(world.drive(from: 100, seconds: 200).queries.isEmpty)
    }

    @Test("While tracking is off, servers do not learn the position.")
    mutating func suspended() throws {
        let effects = world.tell(.command(.tracking(isOn: false)), at: 60)
        #expect(effects.queries == [RegionQuery(place: nil, limit: 1)])
        #expect(world.tell(.command(.tracking(isOn: true)), at: 70).queries.map { $0?.place } == [Samples.home])
    }

    @Test("If the option is off, the engine requests no regions.")
    mutating func off() throws {
        #expect(set("syncGeofences", .flag(false), at: 60).queries == [nil])
        #expect(world.drive(from: 100, seconds: 200).queries.isEmpty)
    }

    @Test("The receiver rests only until the vehicle can reach the border of a region that is not watched.")
    func borders() throws {
        let area = RegionSync.Area(centre: try #require(Samples.home), radius: Metres(2000))
        let borders = WatchedBorders(area: area)
        let fix = try Samples.accepted(0, east: 996, accuracy: 4)
        // The border is 1004 m away; less the error of 4 m, that is 1000 m, which take 20 s at 50 m/s.
        #expect(borders.timeToReach(after: fix, within: .seconds(3600)).map { Int($0.inSeconds.rounded()) } == 20)
        #expect(borders.timeToReach(after: fix, within: .seconds(10)) == nil)
        let outside = try Samples.accepted(0, east: 2500)
        #expect(borders.timeToReach(after: outside, within: .seconds(3600)) == nil)
    }

    @Test("A record lists at most 100 of the regions around the vehicle, those with the longest occupancy.")
    mutating func manyRegions() throws {
        let regions = try (0..<300).map { try Samples.circle("region \($0)", east: 300, radius: 100 + Double($0) / 10) }
        _ = set("syncGeofencesLimit", .count(1000), at: 40)
        _ = world.tell(.serverRegions([ServerRegions(target: "home", regions: regions)]), at: 50)
        let effects = world.drive(from: 100, seconds: 30)
        #expect(effects.transitions.count == 300)
        let lists = effects.compactMap { $0.record?.regions }
        #expect(lists.allSatisfy { $0.count <= 100 })
        #expect(lists.last?.first?.id == "region 299")
    }
}

extension [Effect] {
    /// The transitions in short form, such as `enter depot`.
    fileprivate var transitions: [String] {
        compactMap { effect in
            guard case .transition(let transition)? = effect.record?.content else { return nil }
            return "\(transition.direction) \(transition.region.id)"
        }
    }

    fileprivate var queries: [RegionQuery?] {
        compactMap { if case .fetchRegions(let query) = $0 { .some(query) } else { nil } }
    }
}
