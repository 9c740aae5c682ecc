import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A receiver that states a large error, or none")
struct ModestReceiverTests {
    @Test(
        "A drive has its track from the first fix on, also after an outage, however large the stated error is.",
        arguments: [12.0, 21, 31, 66, 199])
    func firstMinutes(error: Double) {
        var world = World()
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        #expect(drive(&world, 112..<120, error: error) == [112])
        // The outage is longer than a search, so the receiver rests after it and searches again.
        _ = world.tell(.timer(.fixTimeout), at: 250)
        _ = world.tell(.timer(.acquire), at: 281)
        #expect(drive(&world, 290..<300, error: error) == [291])
    }

    @Test(
        "A receiver whose reports have no date is tracked by the date of a time server; without one, the log states this once.",
        arguments: [true, false])
    func noDate(isClockSet: Bool) {
        var engine = Engine(EngineConfiguration(Profile.vehicle.options, modes: OptionLayer.ownTracksModes))
        var effects = engine.handle(.wallClock(Samples.start, isTrusted: isClockSet), at: .boot)
        effects += engine.handle(.started, at: .boot)
        for second in 1...60 {
            var fix = Samples.fix(0, east: 0.1 * Double(second % 3))
            fix.time = nil
            effects += engine.handle(.fix(fix), at: .at(Double(second)))
        }
        let sentences = effects.filter {
            if case .decided(let decision) = $0 { decision.text.contains("no date") } else { false }
        }
        #expect(effects.contains { $0.record?.kind == .motionchange } == isClockSet)
        #expect(sentences.count == (isClockSet ? 0 : 1))
        #expect(engine.status.receiverRefusal == (isClockSet ? nil : .noDate))
        #expect(!engine.utcEstimate.isCorroborated)
    }

    @Test("The status names the reason for which no position is usable, until one is.")
    func refusal() {
        var world = World()
        _ = world.tell(.started, at: 0)
        for second in 0...30 { _ = world.tell(.fix(Samples.fix(Double(second), accuracy: 300)), at: Double(second)) }
        #expect(world.engine.status.receiverRefusal == .inaccurate)
        for second in 31...32 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        #expect(world.engine.status.receiverRefusal == nil)
    }

    /// Drives eastwards at 10 m/s; returns the seconds of the recorded locations.
    private func drive(_ world: inout World, _ seconds: Range<Int>, error: Double) -> [Double] {
        seconds.flatMap { second in
            let fix = Samples.fix(Double(second), east: Double(second - 100) * 10, speed: 10, accuracy: error)
            return world.tell(.fix(fix), at: Double(second)).compactMap(\.record).filter { $0.kind == .location }
                .map { ($0.time - Samples.start).inSeconds }
        }
    }
}
