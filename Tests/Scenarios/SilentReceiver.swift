import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Silent receiver")
struct SilentReceiver {
    @Test(
        "A silent receiver is reported lost after half a minute, power-cycled a minute later, and found again.",
        arguments: seeds)
    func cycle(seed: UInt64) throws {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let silent = parked.drive(.kilometres(1)).sky(.silent)
        let healed = silent.carry(.kilometres(1.6), for: .seconds(95), vibration: .road).sky(.open)
        let arrived = healed.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        expectOneTrip(run, from: parked, to: arrived)
        #expect(run.receiverReports.map(\.value) == [.silent, .available])
        let lost = try #require(run.receiverReports.first)
        #expect((.seconds(29)...(.seconds(32))).contains(lost.time - silent.end))
        let off = try #require(run.receiver.first { $0.upperBound > lost.time })
        #expect(off.upperBound - lost.time == .seconds(60))
    }

    @Test("A silent receiver does not prevent the stop.", arguments: seeds)
    func parked(seed: UInt64) {
        let silent = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).sky(.silent)
        let over = silent.park(for: .minutes(15))
        let run = over.run(vehicle)
        expectStop(run, at: silent)
        #expect(run.receiverTime(from: silent.end + .seconds(190), to: over.end) == .zero)
    }

    @Test("A receiver that is silent from the start is given up, and does not prevent a departure.", arguments: seeds)
    func fromTheStart(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).sky(.silent).park(for: .minutes(10)).sky(.open)
        let arrived = parked.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        #expect(run.receiverTime(from: .zero, to: parked.end) <= .minutes(4))
        #expect(run.departures.count == 1)
        #expect(run.departures.first.map { $0 - parked.end <= .seconds(10) } == true)
        expectStop(run, at: arrived)
    }
}
