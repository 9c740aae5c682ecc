import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Level crossing")
struct LevelCrossing {
    /// The ground shakes while the train passes.
    private static let train = VibrationProfile(0.05...0.15)

    private func wait(seed: UInt64, seconds: Int) -> (
        parked: Scenario, waiting: Scenario, open: Scenario, arrived: Scenario
    ) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let waiting = parked.drive(.kilometres(1))
        let open = waiting.park(for: .seconds(seconds - 40)).park(for: .seconds(20), vibration: Self.train)
            .stand(for: .seconds(20))
        return (parked, waiting, open, open.drive(.kilometres(1)))
    }

    @Test("A level crossing that is closed for less than three minutes is no stop.", arguments: seeds, [120, 175])
    func short(seed: UInt64, seconds: Int) {
        let (parked, _, _, arrived) = wait(seed: seed, seconds: seconds)
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    @Test(
        "A level crossing that is closed for six minutes is a stop, and the next trip begins there.", arguments: seeds)
    func long(seed: UInt64) {
        let (parked, waiting, open, arrived) = wait(seed: seed, seconds: 360)
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        #expect(run.departures.count == 2 && run.arrivals.count == 2)
        expectDeparture(run, from: parked)
        expectStop(run, at: waiting)
        expectDeparture(run, from: open)
        expectStop(run, at: arrived)
    }
}
