import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Wind and rain")
struct WindAndRain {
    @Test(
        "Wind and rain start no trip, and in 20 minutes the receiver looks for three seconds at most.", arguments: seeds
    )
    func storm(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(1))
        let over = parked.park(for: .minutes(20), vibration: .weather)
        let run = over.run(vehicle)
        #expect(run.departures == [])
        #expect(run.receiverTime(from: parked.end, to: over.end) <= .seconds(3))
    }

    @Test("Wind and rain do not prevent the stop of a vehicle that has arrived.", arguments: seeds)
    func arrival(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(1), vibration: .weather)
        let arrived = parked.drive(.kilometres(1))
        expectOneTrip(arrived.park(for: .minutes(6), vibration: .weather).run(vehicle), from: parked, to: arrived)
    }
}
