import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Frozen receiver")
struct FrozenReceiver {
    @Test(
        "A frozen receiver is reported lost after ten seconds, power-cycled a minute later, and found again.",
        arguments: seeds)
    func cycle(seed: UInt64) throws {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let frozen = parked.drive(.kilometres(1)).sky(.frozen)
        let healed = frozen.carry(.kilometres(1.2), for: .seconds(70), vibration: .road).sky(.open)
        let arrived = healed.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        expectOneTrip(run, from: parked, to: arrived)
        #expect(run.receiverReports.map(\.value) == [.frozen, .available])
        let lost = try #require(run.receiverReports.first)
        #expect((.seconds(9)...(.seconds(13))).contains(lost.time - frozen.end))
        let off = try #require(run.receiver.first { $0.upperBound > lost.time })
        #expect(off.upperBound - lost.time == .seconds(60))
        #expect(run.engine.odometer > arrived.travelled * 0.8)
    }

    @Test(
        "A receiver that stays frozen is power-cycled every few minutes, and the drive has no stop.",
        arguments: fewSeeds)
    func long(seed: UInt64) {
        let frozen = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).sky(.frozen)
        let healed = frozen.carry(.kilometres(20), for: .minutes(25), vibration: .road)
        let run = healed.run(vehicle)
        #expect(run.arrivals.isEmpty)
        #expect(run.receiverReports.map(\.value) == [.frozen])
        let cycles = run.receiver.map(\.upperBound).filter { $0 > frozen.end && $0 < healed.end }
        let spacings = zip(cycles, cycles.dropFirst()).map { ($1 - $0).inSeconds.rounded() }
        #expect(spacings.count >= 3)
        #expect(spacings.allSatisfy { (45...200).contains($0) })
    }
}
