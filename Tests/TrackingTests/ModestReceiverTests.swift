import Motion
import Quantities
import Testing

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

    /// Drives eastwards at 10 m/s; returns the seconds of the recorded locations.
    private func drive(_ world: inout World, _ seconds: Range<Int>, error: Double) -> [Double] {
        seconds.flatMap { second in
            let fix = Samples.fix(Double(second), east: Double(second - 100) * 10, speed: 10, accuracy: error)
            return world.tell(.fix(fix), at: Double(second)).compactMap(\.record).filter { $0.kind == .location }
                .map { ($0.time - Samples.start).inSeconds }
        }
    }
}
