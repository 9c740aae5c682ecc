import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("A receiver that repeats its place and its speed while its time runs")
struct FrozenReceiverTests {
    @Test(
        "In a garage, a frozen receiver counts no metre and is lost, and the trip ends.", arguments: [1.2, 4, 9, 30],
        [0.0, 0.01])
    func parked(speed: Double, trembling: Double) {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        let before = world.engine.odometer.value
        var effects: [Effect] = []
        for second in 160..<1000 {
            let fix = Samples.fix(
                Double(second), east: world.east + trembling * Double(second % 3), speed: speed)
            effects += world.tell(.fix(fix), at: Double(second))
            effects += world.tell(.motion(MotionVerdict(isMoving: false)), at: Double(second))
            effects += world.tell(.timer(.stillness), at: Double(second) + 0.9)
        }
        #expect(world.engine.odometer.value - before < 20)
        #expect(effects.changes == [.frozen])
        #expect(!world.engine.isMoving)
        #expect(effects.contains(.refused(.frozen)))
    }

    @Test(
        "After a receiver was frozen on the way, the way counts once, and at most one right fix is refused.",
        arguments: [3, 8, 12, 15, 70, 660], [3.0, 10, 28])
    func tunnel(seconds: Int, speed: Double) {
        var world = World()
        world.park()
        var effects: [Effect] = []
        let frozen = 160..<(160 + seconds)
        for second in 100..<(260 + seconds) {
            let place = speed * Double(frozen.contains(second) ? 159 - 99 : second - 99)
            effects += world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            effects += world.tell(.fix(Samples.fix(Double(second), east: place, speed: speed)), at: Double(second))
        }
        let way = speed * Double(160 + seconds)
        let counted = world.engine.odometer.value
        #expect((counted - way).magnitude < 0.02 * way + 10, "\(counted) of \(way)")
        let refused = effects.filter { if case .refused(let reason) = $0 { reason != .frozen } else { false } }
        #expect(refused.count <= 1, "\(refused)")
        #expect(world.engine.isMoving)
    }

    @Test("A receiver that keeps its place at a traffic light, or has coarse places, is not frozen.")
    func healthy() {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        var effects = world.stand(from: 160, seconds: 60, vibrates: true)
        // At 1.2 m/s, a receiver that rounds to 1.85 m repeats its position for 1.5 s: 15 fixes at 10 Hz.
        for tenth in 0..<600 {
            let place = world.east + (0.12 * Double(tenth) / 1.85).rounded(.down) * 1.85
            let moment = 220 + Double(tenth) / 10
            effects += world.tell(.fix(Samples.fix(moment, east: place, speed: 1.2)), at: moment)
        }
        #expect(effects.changes.isEmpty && !effects.contains(.refused(.frozen)))
        #expect((world.engine.odometer.value - 672).magnitude < 15, "\(world.engine.odometer.value)")
    }

    @Test("Speeds in a wrong unit do not make the odometer longer than the places.", arguments: [1.3, 1.944, 0.514])
    func wrongUnit(factor: Double) {
        var odometer = Odometer()
        for second in 0...600 {
            let fix = AcceptedFix(Samples.fix(Double(second), east: 8 * Double(second), speed: 8 * factor))
            if let fix { odometer.add(fix, isAtRest: false) }
        }
        #expect((odometer.distance.value - 4800).magnitude < 0.05 * 4800 + 25, "\(odometer.distance)")
    }

    @Test("A frozen receiver that is switched off and on remains lost until it reports a new place or stands.")
    func recovery() {
        var rule = FrozenRule()
        for second in 0...11 { rule.take(Samples.fix(Double(second), speed: 9), at: .at(Double(second))) }
        #expect(rule.isFrozen)
        // The speed of the repeated solution may decay, even across a power cut that does not reach the receiver.
        for second in [12.0, 18] {
            rule.take(Samples.fix(second, speed: 0.3), at: .at(second))
            #expect(rule.isFrozen)
        }
        rule.take(Fix(mode: .noFix, time: Samples.start), at: .at(20))
        rule.take(Samples.fix(21, speed: 9), at: .at(21))
        #expect(rule.isFrozen)
        rule.take(Fix(mode: .noFix, time: Samples.start), at: .at(30))
        rule.take(Samples.fix(31, speed: 0.1), at: .at(31))
        #expect(!rule.isFrozen)
    }
}

extension [Effect] {
    fileprivate var changes: [ProviderChange.State] {
        compactMap { effect in
            guard case .providerchange(let change)? = effect.record?.content else { return nil }
            return change.state
        }
    }
}
