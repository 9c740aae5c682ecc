import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Driven by motion, and not by a timer")
struct PhilosophyTests {
    @Test("a parked vehicle waits for no timer, and its receiver is off")
    func sleep() {
        let options = Profile.motion.options
        var world = World { $0 = options }
        var effects = world.tell(.motionSensor(isThere: true), at: 0) + world.tell(.started, at: 0)
        for second in 0...1 { effects += world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        var armed: [TimerKind] = []
        var isPowered = false
        for effect in effects {
            switch effect {
            case .arm(let kind, _): armed.append(kind)
            case .cancel(let kind): armed.removeAll { $0 == kind }
            case .receiver(let isOn): isPowered = isOn
            case .record, .motionSensor, .scan, .state, .correctTimestamps, .refused, .decided, .uploads, .light, .halt,
                .recover:
                break
            }
        }
        #expect(armed.isEmpty)
        #expect(!isPowered)
    }

    @Test("on its way records are so far apart as the filter says, however much time they take")
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
        "a place beyond stationaryRadius and the error of the fix starts a trip, though nothing was felt",
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
