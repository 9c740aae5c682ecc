import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("A move across a yard")
struct Yard {
    private static let walkingPace = MetresPerSecond(2)
    /// The vibration of a slow vehicle on asphalt.
    private static let rolling = VibrationProfile(0.2...0.45)

    private func move(seed: UInt64, _ metres: Double, rate: Int) -> (moved: Scenario, run: ScenarioRun) {
        let parked = Scenario(seed: seed, rate: rate).park(for: .minutes(2)).drive(.kilometres(1)).park(
            for: .minutes(5))
        let moved = parked.drive(Metres(metres), at: Self.walkingPace, vibration: Self.rolling)
        return (moved, moved.park(for: .minutes(6)).run(vehicle))
    }

    @Test("A vehicle that is moved across a yard is parked at its new place.", arguments: seeds, [40.0, 60, 90])
    func felt(seed: UInt64, metres: Double) {
        let (moved, run) = move(seed: seed, metres, rate: 10)
        #expect(!run.isMoving(at: run.length))
        #expect(moved.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect(moved.distance(to: run.motionchanges.last?.value.position) <= Metres(10))
    }

    @Test(
        "Without an accelerometer, position checks find the vehicle's new place.", arguments: seeds, [45.0, 60, 120])
    func unfelt(seed: UInt64, metres: Double) {
        let (moved, run) = move(seed: seed, metres, rate: 1)
        #expect(!run.isMoving(at: run.length))
        #expect(moved.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect(moved.distance(to: run.motionchanges.last?.value.position) <= Metres(10))
    }
}
