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
}

extension [Effect] {
    fileprivate var directions: [Transition.Direction] {
        compactMap(\.record).compactMap {
            if case .transition(let transition) = $0.content { transition.direction } else { nil }
        }
    }
}
