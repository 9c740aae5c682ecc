import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Traffic light")
struct TrafficLight {
    @Test(
        "A red light is no stop, whether the engine idles or is off.", arguments: seeds,
        [VibrationProfile.idling, .rest])
    func red(seed: UInt64, engine: VibrationProfile) {
        let parked = Scenario(seed: seed).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(0.6)).stand(for: .seconds(30), vibration: engine)
            .drive(.kilometres(0.5)).stand(for: .seconds(90), vibration: engine)
            .drive(.kilometres(0.7)).stand(for: .seconds(120), vibration: engine)
            .drive(.kilometres(0.6))
        let run = arrived.park(for: .minutes(5)).run(vehicle)
        expectOneTrip(run, from: parked, to: arrived)
        let odometer = run.engine.odometer
        #expect((odometer - arrived.travelled).magnitude < arrived.travelled * 0.01)
    }

    @Test("A recorded drive with halts of 31, 26 and 5 s is one trip.")
    func block() throws {
        let run = ScenarioRun(try recorded("sample_trip"), vehicle)
        #expect(run.departures.count == 1)
        #expect(run.arrivals.isEmpty)
    }

    /// The drive contains 28 halts of 3 to 98 s in its first 1523 s.
    ///
    /// Its accelerometer data have only one sample per second, so the tracker judges motion from the fixes.
    @Test("A recorded half-hour of traffic is one trip.")
    func traffic() throws {
        let run = ScenarioRun(try recorded("2023-08-09_12-47-42").part(to: .seconds(1594)), vehicle)
        #expect(run.departures.count == 1)
        #expect(run.arrivals.isEmpty)
    }
}
