import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Power cut while driving")
struct PowerCutWhileDriving {
    private static let down = Duration.seconds(20)

    @Test(
        "A power cut while driving loses no more than the time to first fix, and the trip continues.", arguments: seeds,
        [1, 35])
    func onTheRoad(seed: UInt64, seconds: Int) throws {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(4))
        let whole = arrived.park(for: .minutes(4))
        let cut = parked.end + .seconds(120)
        let drive = whole.recording
        let before = ScenarioRun(drive.part(to: cut), vehicle)
        #expect(before.engine.isMoving)
        let after = ScenarioRun(
            drive.part(from: cut + Self.down, to: whole.end), vehicle, timeToFirstFix: .seconds(seconds),
            restoring: before.engine.state, clock: nil)
        #expect(after.departures.isEmpty && after.arrivals.count == 1)
        let first = try #require(after.records.first { $0.value.kind == .location })
        #expect(first.time <= .seconds(seconds + 5))
        #expect(first.value.trip == 1)
        let stop = try #require(after.motionchanges.last)
        #expect(arrived.distance(to: stop.value.position) <= Metres(10))
        #expect((stop.value.time - arrived.date).magnitude <= .seconds(5))
        #expect((after.engine.odometer - arrived.travelled).magnitude < arrived.travelled * 0.15)
    }

    @Test(
        "A power cut that lasts until the vehicle is parked ends the trip where the vehicle is found.", arguments: seeds
    )
    func parkedMeanwhile(seed: UInt64) throws {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(4))
        let whole = arrived.park(for: .minutes(20))
        let drive = whole.recording
        let before = ScenarioRun(drive.part(to: parked.end + .seconds(120)), vehicle)
        let after = ScenarioRun(
            drive.part(from: arrived.end + .minutes(10), to: whole.end), vehicle, restoring: before.engine.state,
            clock: nil)
        #expect(after.departures.isEmpty)
        let stop = try #require(after.motionchanges.last)
        #expect(stop.time <= .seconds(190))
        #expect(arrived.distance(to: stop.value.position) <= Metres(10))
        #expect(after.receiverTime(from: stop.time, to: after.length) == .zero)
    }

    @Test("The new place of a parked vehicle that was moved during a power cut is recorded.", arguments: seeds)
    func movedMeanwhile(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(4)).park(for: .minutes(5))
        let whole = arrived.park(for: .minutes(20))
        let drive = whole.recording
        let before = ScenarioRun(drive.part(to: parked.end - .seconds(10)), vehicle)
        let after = ScenarioRun(
            drive.part(from: arrived.end, to: whole.end), vehicle, restoring: before.engine.state, clock: nil)
        #expect(after.departures.isEmpty && after.arrivals.isEmpty)
        #expect(after.motionchanges.map(\.value.trigger) == [.movedUnseen])
        #expect(arrived.distance(to: after.motionchanges.last?.value.position) <= Metres(10))
        #expect(after.receiverTime(from: .minutes(5), to: after.length) == .zero)
    }
}
