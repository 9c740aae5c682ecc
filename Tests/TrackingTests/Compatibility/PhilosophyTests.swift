import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Tracking by motion, not by timer")
struct PhilosophyTests {
    @Test("A parked vehicle has its receiver off, and no timer except that of the position check after six hours.")
    func sleep() {
        let options = Profile.motion.options
        var world = World { $0 = options }
        var effects = world.tell(.motionSensor(isThere: true), at: 0) + world.tell(.started, at: 0)
        for second in 0...1 { effects += world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        var armed: [TimerKind: Instant] = [:]
        var isPowered = false
        for effect in effects {
            switch effect {
            case .arm(let kind, let moment): armed[kind] = moment
            case .cancel(let kind): armed[kind] = nil
            case .receiver(let isOn): isPowered = isOn
            case .record, .motionSensor, .scan, .state, .correctTimestamps, .refused, .decided, .uploads, .deliver,
                .queueRules, .fetchRegions,
                .light,
                .halt, .recover:
                break
            }
        }
        #expect(armed == [.check: .at(21_601)])
        #expect(!isPowered)
    }

    @Test("On a trip, records are distanceFilter apart, however slowly the vehicle drives.")
    func spacing() {
        var options = Profile.motion.options
        options.disableElasticity = true
        options.distanceFilter = Metres(45)
        var world = World { $0 = options }
        world.park()
        let way = world.drive(from: 100, seconds: 120).compactMap(\.record).filter { $0.kind == .location }
        let places = way.compactMap(\.position?.coordinate)
        #expect(places.count == 24)
        #expect(zip(places, places.dropFirst()).allSatisfy { ($0.distance(to: $1).value - 50).magnitude < 1 })
    }

    @Test(
        "A position beyond stationaryRadius and the error of the fix starts a trip, even without measured motion.",
        arguments: [(153.0, false), (156, true)])
    func stationaryRadius(metres: Double, departs: Bool) {
        var world = World { $0.stationaryRadius = Metres(150) }
        world.park()
        for second in 100...101 {
            _ = world.tell(.fix(Samples.fix(Double(second), east: metres, speed: 0)), at: Double(second))
        }
        #expect(world.engine.isMoving == departs)
    }
}
