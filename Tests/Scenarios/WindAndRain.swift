import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Wind and rain on a parked roof")
struct WindAndRain {
    @Test("start nothing, and leave the receiver off", arguments: seeds)
    func storm(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(1))
        let over = parked.park(for: .minutes(20), vibration: .weather)
        let run = over.run(vehicle)
        #expect(run.departures == [])
        #expect(run.receiverTime(from: parked.end, to: over.end) == .zero)
    }

    @Test("do not keep a vehicle that has arrived from being parked", arguments: seeds)
    func arrival(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(1), vibration: .weather)
        let arrived = parked.drive(.kilometres(1))
        expectOneTrip(arrived.park(for: .minutes(6), vibration: .weather).run(vehicle), from: parked, to: arrived)
    }
}
