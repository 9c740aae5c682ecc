import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("A gale over a car park")
struct Gale {
    /// Gusts that shake a car as strongly as a smooth road does.
    private static let gusts = VibrationProfile(0.25...0.35)

    private func gale(seed: UInt64) -> (parked: Scenario, over: Scenario) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).park(for: .minutes(5))
        var gale = parked
        for gust in 0..<30 {
            gale = gale.park(for: .seconds(3 + gust * 37 % 38), vibration: Self.gusts).park(for: .seconds(100))
        }
        return (parked, gale)
    }

    @Test(
        "An hour of gusts causes at most one false start, and the receiver is on for at most an eighth of the hour.",
        arguments: seeds)
    func hour(seed: UInt64) {
        let (parked, over) = gale(seed: seed)
        let run = over.run(vehicle)
        #expect(run.departures(from: parked, to: over) <= 1)
        #expect(run.trips.count == 1)
        #expect(parked.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect(run.receiverShare(from: parked, to: over) < 0.125)
    }

    @Test(
        "A departure in a gale is found within a minute, and the trip begins where the vehicle stood.",
        arguments: seeds)
    func departure(seed: UInt64) throws {
        let (_, over) = gale(seed: seed)
        let arrived = over.drive(.kilometres(3))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        let start = try #require(run.motionchanges.last { $0.value.isMoving })
        #expect((.zero...(.seconds(60))).contains(start.time - over.end))
        #expect((start.value.time - over.date).magnitude <= .seconds(10))
        #expect(over.distance(to: start.value.position) <= Metres(10))
        expectStop(run, at: arrived)
    }
}
