import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Beacon regions in the engine")
struct EngineBeaconTests {
    @Test("A beacon region is left when its beacon is silent, but not while the adapter cannot scan.")
    func deaf() throws {
        var world = World()
        var options = Profile.vehicle.options
        options.beacons = true
        options.beaconExitDelay = .seconds(30)
        let region = try Samples.region("van", .beacon(Samples.beacon()))
        var setup = EngineConfiguration(options: options)
        setup.regions = [region]
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        world.park()
        #expect(world.tell(.beacon(Samples.sighting()), at: 10).directions == [.enter])
        _ = world.tell(.beaconScanner(isListening: false), at: 20)
        #expect(world.tell(.timer(.beacons), at: 3600).directions.isEmpty)
        let back = world.tell(.beaconScanner(isListening: true), at: 3600)
        #expect(back.contains { if case .arm(.beacons, at: let moment) = $0 { moment > .at(3600) } else { false } })
        #expect(world.tell(.timer(.beacons), at: 3700).directions == [.leave])
    }

    private static let configured:
        [(hasRegion: Bool, hasMark: Bool, beacons: Bool?, parked: ScanDuty, moving: ScanDuty)] = [
            (false, false, nil, .off, .off), (true, false, nil, .low, .full), (false, true, nil, .off, .full),
            (true, true, false, .off, .off), (false, false, true, .off, .full), (true, false, true, .low, .full),
        ]

    @Test(
        "A configured beacon or beacon region switches scanning on by itself, unless `beacons: false` forbids it.",
        arguments: configured)
    func scanning(hasRegion: Bool, hasMark: Bool, beacons: Bool?, parked: ScanDuty, moving: ScanDuty) throws {
        var world = try world(hasRegion: hasRegion, beacons: beacons)
        if hasMark {
            var setup = world.engine.configuration
            setup.markedBeacons = [MarkedBeacon(Samples.beacon(), name: "van1", role: .vehicle)]
            world.engine = Engine(setup)
        }
        var duty = ScanDuty.off
        func note(_ effects: [Effect]) { for case .scan(let changed) in effects { duty = changed } }
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        note(world.tell(.started, at: 0))
        #expect(duty == parked)
        note(world.tell(.command(.move), at: 100))
        #expect(duty == moving)
        _ = world.tell(.beacon(Samples.sighting()), at: 101)
        let isUsed = world.engine.status.resolvedOptions.options.beacons
        #expect(isUsed == (moving != .off))
        #expect(world.engine.state.beacons.names.vehicle == (hasMark && isUsed ? "van1" : nil))
        note(world.tell(.command(.stay), at: 200))
        #expect(duty == parked, "the scan of a parked vehicle follows the stop")
    }

    @Test("A waypoint with a beacon in its name switches scanning on, and its removal switches scanning off.")
    func waypoint() throws {
        var world = try world(hasRegion: false, beacons: nil)
        world.park()
        let waypoint = Waypoint(text: "Van:\(Samples.beaconUUID):1:7", defined: Samples.start)
        #expect(world.tell(.command(.waypoint(waypoint)), at: 10).contains(.scan(.low)))
        #expect(world.tell(.beacon(Samples.sighting()), at: 20).directions == [.enter])
        #expect(world.tell(.command(.clearWaypoints), at: 30).contains(.scan(.off)))
        #expect(world.tell(.beacon(Samples.sighting()), at: 40).directions.isEmpty)
    }

    @Test("A low battery switches scanning off, also for a configured beacon.")
    func lowBattery() throws {
        var world = try world(hasRegion: true, beacons: nil)
        world.park()
        #expect(world.tell(.options(.supply, PowerManager.Saving.begins.layers), at: 10).contains(.scan(.off)))
        #expect(world.tell(.options(.supply, []), at: 20).contains(.scan(.low)))
    }

    @Test("A beacon's transition states the beacon's smoothed signal strength and proximity while it is in range.")
    func signal() throws {
        var options = Region.Options()
        options.dwell = .seconds(15)
        var world = try world(hasRegion: true, beacons: nil, options)
        world.park()
        let entered = world.tell(.beacon(Samples.sighting(7, -59)), at: 10)
        #expect(entered.signals == [BeaconReading(rssi: -59, proximity: .near)])
        for second in 11...20 { _ = world.tell(.beacon(Samples.sighting(7, -79)), at: Double(second)) }
        let dwelt = world.tell(.timer(.regions), at: 25)
        // The mean of eleven readings omits the strongest and the weakest tenth.
        #expect(dwelt.signals == [BeaconReading(rssi: -79, proximity: .far)])
        #expect(world.tell(.timer(.beacons), at: 60).signals == [nil])
    }

    private func world(hasRegion: Bool, beacons: Bool?, _ options: Region.Options = .init()) throws -> World {
        var world = World()
        let given = beacons.map { [OptionAssignment("beacons", .flag($0), source: "c.yaml:2")] } ?? []
        var setup = EngineConfiguration(
            layers: OptionLayers([.profile(.vehicle), OptionLayer(.file, name: "c.yaml", given)]))
        if hasRegion { setup.regions = [try Samples.region("van", .beacon(Samples.beacon()), options: options)] }
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        return world
    }
}

extension [Effect] {
    fileprivate var signals: [BeaconReading?] {
        compactMap(\.record).compactMap {
            if case .transition(let transition) = $0.content { .some(transition.signal) } else { nil }
        }
    }

    fileprivate var directions: [Transition.Direction] {
        compactMap(\.record).compactMap {
            if case .transition(let transition) = $0.content { transition.direction } else { nil }
        }
    }
}
