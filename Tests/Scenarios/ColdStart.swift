import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("A cold start")
struct ColdStart {
    @Test("finds where the vehicle is parked, and then lets the receiver rest", arguments: seeds, [35, 45, 60])
    func firstLook(seed: UInt64, seconds: Int) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(5))
        let run = parked.run(vehicle, timeToFirstFix: .seconds(seconds))
        #expect(parked.distance(to: run.engine.state.parked) <= Metres(10))
        #expect(run.receiverTime(from: .zero, to: parked.end) <= .seconds(seconds + 5))
        #expect(run.receiverReports.isEmpty)
    }

    @Test(
        "costs metres at the beginning of a drive, but neither its anchor nor its end", arguments: seeds, [35, 45, 60])
    func drive(seed: UInt64, seconds: Int) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(5))
        let arrived = parked.drive(.kilometres(2))
        let run = arrived.park(for: .minutes(4)).run(vehicle, timeToFirstFix: .seconds(seconds))
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        expectDeparture(run, from: parked)
        expectStop(run, at: arrived)
        let first = run.records.first { $0.value.kind == .location && $0.time > parked.end }
        #expect((first?.time ?? .zero) - parked.end <= .seconds(seconds + 15))
        #expect(run.receiverReports.isEmpty)
    }

    /// Without almanac, time and place a receiver has to be on for 12.5 minutes: so long the almanac takes to be sent.
    @Test("without almanac comes to its fix in a drive of forty minutes", arguments: fewSeeds)
    func almanac(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(5))
        let arrived = parked.carry(.kilometres(30), for: .minutes(40), vibration: .road)
        let run = arrived.park(for: .minutes(4)).run(vehicle, timeToFirstFix: .minutes(12))
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        #expect(run.points(from: parked, to: arrived).count > 10)
        expectStop(run, at: arrived)
    }

    @Test("without almanac finds where the vehicle is parked within an hour", arguments: fewSeeds)
    func almanacAtRest(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(60))
        let run = parked.run(vehicle, timeToFirstFix: .minutes(12))
        #expect(parked.distance(to: run.engine.state.parked) <= Metres(10))
    }
}
