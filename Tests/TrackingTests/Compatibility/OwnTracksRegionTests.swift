import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("OwnTracks' regions")
struct OwnTracksRegionTests {
    @Test(
        "OwnTracks' regions are reported in every mode but quiet, whatever else the mode records.",
        arguments: MonitoringMode.allCases)
    func modes(mode: MonitoringMode) throws {
        let told = try drive(past: depot(radius: 100)) { $0.monitoring = mode }
        #expect(told.map(\.transition?.direction) == (mode == .quiet ? [] : [.enter, .leave]))
        #expect(told.allSatisfy { $0.transition?.trigger == .area && $0.transition?.text == "Depot" })
    }

    @Test("A transition of an OwnTracks region comes with a location whose trigger is the transition.")
    func locations() throws {
        var world = World { $0.monitoring = .manual }
        world.park()
        _ = world.tell(.command(.waypoint(try depot(radius: 100))), at: 10)
        let records = world.drive(from: 100, seconds: 200).compactMap(\.record)
        let places = records.filter { $0.kind == .location }
        #expect(places.map(\.trigger) == [.region, .region])
        #expect(places.map(\.position) == records.filter { $0.transition != nil }.map(\.position))
    }

    @Test("A radius of 0 switches an OwnTracks region off.")
    func off() throws {
        var world = World()
        world.park()
        _ = world.tell(.command(.waypoint(try depot(radius: 100))), at: 10)
        _ = world.tell(.command(.waypoint(try depot(radius: 0))), at: 20)
        #expect(world.drive(from: 100, seconds: 200).compactMap(\.record).allSatisfy { $0.transition == nil })
    }

    @Test("OwnTracks' regions are reported as waypoints when they are made or changed.")
    func waypoints() throws {
        var world = World()
        for radius in [100.0, 150] {
            let waypoint = try depot(radius: radius)
            let records = world.tell(.command(.waypoint(waypoint)), at: radius).compactMap(\.record)
            #expect(records.map(\.content) == [.waypoint(waypoint)])
        }
        #expect(world.engine.state.regions.waypoints.map(\.radius) == [Metres(150)])
    }

    @Test("An OwnTracks region whose description names a beacon is entered and left by the beacon's signal.")
    func beacon() {
        var world = World { $0.beacons = true }
        world.park()
        let waypoint = Waypoint(text: "Van:\(Samples.beacon().uuid)", coordinate: Samples.home, defined: Samples.start)
        #expect(world.tell(.command(.waypoint(waypoint)), at: 10).contains { $0.record?.kind == .waypoint })
        let heard = world.tell(.beacon(Samples.sighting()), at: 20).compactMap(\.record?.transition)
        #expect(heard.map(\.direction) == [.enter])
        let left = world.tell(.timer(.beacons), at: 51).compactMap(\.record?.transition)
        #expect(left.map(\.direction) == [.leave])
        #expect((heard + left).allSatisfy { $0.trigger == .beacon && $0.text == "Van" })
    }

    @Test("Each record that trackerd makes in an OwnTracks region names the region.")
    func inside() throws {
        var world = World()
        world.park()
        _ = world.tell(.command(.waypoint(try depot(radius: 100))), at: 10)
        let points = world.drive(from: 100, seconds: 200).compactMap(\.record).filter { $0.kind == .location }
        let inside = points.filter { $0.regions?.map(\.name) == ["Depot"] }
        #expect(!inside.isEmpty && inside.count < points.count)
    }

    private func depot(radius: Double) throws -> Waypoint {
        let place = try #require(Samples.home).moved(east: Metres(1000), north: .zero)
        return Waypoint(text: "Depot", coordinate: place, radius: Metres(radius), defined: Samples.start)
    }

    private func drive(past waypoint: Waypoint, _ change: (inout TrackingOptions) -> Void) -> [Record] {
        var world = World(change)
        world.park()
        _ = world.tell(.command(.waypoint(waypoint)), at: 10)
        return world.drive(from: 100, seconds: 200).compactMap(\.record).filter { $0.transition != nil }
    }
}

extension Record {
    fileprivate var transition: Transition? {
        if case .transition(let transition) = content { transition } else { nil }
    }
}
