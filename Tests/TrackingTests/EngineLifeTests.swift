import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The engine in a random sequence of events, with random options")
struct EngineLifeTests {
    private static let seeds = 0..<12

    @Test(
        "The engine fulfils its contract: states, stops, receiver, odometer, trips, timers and restarts.",
        arguments: 0..<50)
    func contract(seed: Int) {
        var life = RandomLife(seed: seed)
        for _ in 0..<500 { life.step() }
    }

    @Test(
        "The engine parks the vehicle and switches the receiver off if the accelerometer remains still.",
        arguments: seeds)
    func stillForEver(seed: Int) {
        for (life, options) in moments(seed) {
            var end = life
            end.tell(.command(.tracking(isOn: true)))
            end.tell(.motionSensor(isThere: true))
            end.tell(.motion(MotionVerdict(isMoving: false)))
            let patience = end.contract.patience(end.engine.state)
            end.pass(options.stopDetectionDelay + options.stopTimeout)
            // A last fix above 8 m/s delays the stop, because the vehicle may be in a tunnel.
            if end.engine.isMoving { end.pass(.seconds(620)) }
            // If the receiver was off, the engine may first need a fix to find the position of the stop.
            if end.engine.isMoving { end.pass(patience) }
            #expect(!end.engine.isMoving, "seed \(seed) at \(life.now)")
            guard options.desiredStoppedUpdateInterval == .zero else { continue }
            let latest = end.now + patience
            while end.engine.status.receiverOnSince != nil, end.now <= latest { end.pass(.seconds(10)) }
            #expect(end.engine.status.receiverOnSince == nil, "seed \(seed) at \(life.now)")
        }
    }

    @Test(
        "The engine parks the vehicle after half an hour without any event if there is no other evidence.",
        arguments: seeds)
    func silentForEver(seed: Int) {
        for (life, _) in moments(seed) {
            var end = life
            end.tell(.motionSensor(isThere: false))
            // Motion just before the loss of the accelerometer may still start a trip.
            end.pass(.seconds(1810))
            #expect(!end.engine.isMoving, "seed \(seed) at \(life.now)")
        }
    }

    @Test("The engine obeys a command to move or to park at any moment.", arguments: seeds)
    func obeys(seed: Int) {
        for (life, _) in moments(seed) {
            var end = life
            end.tell(.command(.tracking(isOn: true)))
            end.tell(.command(.move))
            #expect(end.engine.isMoving, "seed \(seed) at \(life.now)")
            end.tell(.command(.stay))
            #expect(!end.engine.isMoving, "seed \(seed) at \(life.now)")
        }
    }

    @Test("The engine returns the same effects for the same events.", arguments: 0..<5)
    func again(seed: Int) {
        var (one, other) = (RandomLife(seed: seed), RandomLife(seed: seed))
        for _ in 0..<300 {
            one.step()
            other.step()
        }
        #expect(one.effects == other.effects && one.engine.state == other.engine.state, "seed \(seed)")
    }

    /// Returns moments of a random sequence of events, each with the options in force.
    private func moments(_ seed: Int) -> [(RandomLife, TrackingOptions)] {
        var life = RandomLife(seed: seed)
        return (0..<5).map { _ in
            for _ in 0..<60 { life.step() }
            return (life, life.engine.status.resolvedOptions.options)
        }
    }
}
