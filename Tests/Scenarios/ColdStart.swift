import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("A cold start")
struct ColdStart {
    @Test("A cold start finds the parked place and then switches the receiver off.", arguments: seeds, [35, 45, 60])
    func firstLook(seed: UInt64, seconds: Int) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(5))
        let run = parked.run(vehicle, timeToFirstFix: .seconds(seconds))
        #expect(parked.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect(run.receiverTime(from: .zero, to: parked.end) <= .seconds(seconds + 5))
        #expect(run.receiverReports.isEmpty)
    }

    @Test(
        "A cold start loses the first metres of a drive, but neither its start nor its end.", arguments: seeds,
        [35, 45, 60])
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

    /// A receiver without almanac, time and position must be on for 12.5 minutes, because the broadcast of the almanac takes this
    /// time.
    @Test("A receiver without an almanac gets its first fix during a drive of forty minutes.", arguments: fewSeeds)
    func almanac(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(5))
        let arrived = parked.carry(.kilometres(30), for: .minutes(40), vibration: .road)
        let run = arrived.park(for: .minutes(4)).run(vehicle, timeToFirstFix: .minutes(12))
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        #expect(run.points(from: parked, to: arrived).count > 10)
        expectStop(run, at: arrived)
    }

    @Test("A receiver without an almanac finds the parked place within an hour.", arguments: fewSeeds)
    func almanacAtRest(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(60))
        let run = parked.run(vehicle, timeToFirstFix: .minutes(12))
        #expect(parked.distance(to: run.engine.state.logbook.parked) <= Metres(10))
    }
}
