import Quantities
import TestSupport
import Testing
import Tracking

@Suite("A car train")
struct CarTrain {
    private static let rails = VibrationProfile(0.2...0.5)

    @Test(
        "A ride on a car train is one trip, with receiver pauses of up to a minute in the tunnel.",
        arguments: fewSeeds)
    func tunnel(seed: UInt64) {
        let loaded = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).park(for: .minutes(6))
        let inside = loaded.carry(.kilometres(3), for: .minutes(3), vibration: Self.rails).sky(.none)
        let outside = inside.carry(.kilometres(40), for: .minutes(35), vibration: Self.rails).sky(.open)
        let unloaded = outside.carry(.kilometres(12), for: .minutes(12), vibration: Self.rails)
        let parked = unloaded.park(for: .minutes(6))
        let arrived = parked.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(5)).run(vehicle)
        expectDeparture(run, from: loaded)
        #expect(run.departures(from: loaded, to: parked) == 1)
        #expect(run.arrivals(from: loaded, to: unloaded) == 0)
        let pauses = run.receiverPauses(from: inside, to: outside)
        #expect(pauses.starts(with: [30, 60, 60, 60, 60]))
        #expect(run.receiverShare(from: inside, to: outside) < 0.7)
        #expect(run.points(from: outside, to: unloaded).count > 10)
        expectStop(run, at: unloaded)
        expectStop(run, at: arrived)
        #expect(run.engine.odometer > loaded.distance(to: arrived) * 0.95)
    }
}
