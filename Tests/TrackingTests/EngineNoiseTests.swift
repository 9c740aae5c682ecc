import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("The vibration of a standing vehicle")
struct EngineNoiseTests {
    @Test("The engine learns the vibration of a parked vehicle only from seconds without motion.")
    func parked() throws {
        var world = World()
        world.park()
        for second in 10..<200 {
            // A knock wakes the chip every ten seconds. Its two active windows are too short for motion, and must not count as
            // noise.
            let isKnock = second % 10 < 2
            let verdict = MotionVerdict(
                isMoving: false, isActive: isKnock, deviation: Acceleration(isKnock ? 0.5 : 0.04))
            _ = world.tell(.motion(verdict), at: Double(second))
        }
        #expect(abs(try #require(world.engine.state.noise.parked.level).value - 0.04) < 0.005)
        #expect(world.engine.state.noise.idling.level == nil)
    }

    @Test("The engine learns no vibration while tracking is off, because the vehicle may be driving.")
    func suspended() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tracking(isOn: false)), at: 5)
        for second in 10..<200 { _ = world.tell(Self.verdict(isMoving: false, 0.1), at: Double(second)) }
        #expect(world.engine.state.noise == NoiseFloor())
    }

    @Test("The engine learns vibration at a traffic light if fixes show that the vehicle stands, but not on the road.")
    func idling() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 10)
        for second in 110..<200 {
            _ = world.tell(.fix(Samples.fix(Double(second), east: 100, speed: 0)), at: Double(second))
            _ = world.tell(Self.verdict(isMoving: true, 0.1), at: Double(second) + 0.5)
        }
        #expect(abs(try #require(world.engine.state.noise.idling.level).value - 0.1) < 0.01)
        let learnt = world.engine.state.noise
        _ = world.tell(.fix(Samples.fix(200, east: 105, speed: 5)), at: 200)
        _ = world.tell(Self.verdict(isMoving: true, 2), at: 200.5)
        // After more than 3 s without a fix, the vehicle may be driving.
        _ = world.tell(.fix(Samples.fix(201, east: 105, speed: 0)), at: 201)
        _ = world.tell(Self.verdict(isMoving: true, 2), at: 210)
        #expect(world.engine.state.noise == learnt)
    }

    private static func verdict(isMoving: Bool, _ deviation: Double) -> Event {
        .motion(MotionVerdict(isMoving: isMoving, deviation: Acceleration(deviation)))
    }
}
