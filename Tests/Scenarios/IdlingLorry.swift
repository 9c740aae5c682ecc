import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Idling lorry")
struct IdlingLorry {
    /// A diesel engine shakes its cab as strongly as a road does.
    private static let diesel = VibrationProfile(0.2...0.4)

    @Test(
        "An idling lorry counts as stopped, and its receiver is off nearly all the time.", arguments: fewSeeds,
        [VibrationProfile.idling, diesel])
    func hour(seed: UInt64, engine: VibrationProfile) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let halted = parked.drive(.kilometres(1))
        let rested = halted.stand(for: .minutes(60), vibration: engine)
        let arrived = rested.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        #expect(run.departures.count == 2 && run.arrivals.count == 2)
        expectDeparture(run, from: parked)
        // With a vibrating engine, the vehicle is not still, so the place rule confirms the stop after stopDuration.
        expectStop(run, at: halted, within: .seconds(205))
        #expect(run.receiverTime(from: run.arrivals.first ?? .zero, to: rested.end) <= .minutes(6))
        expectStop(run, at: arrived)
    }

    @Test("The accelerometer detects the departure, and the trip begins where the lorry stood.", arguments: fewSeeds)
    func departure(seed: UInt64) {
        let rested = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).stand(
            for: .minutes(10))
        expectDeparture(rested.drive(.kilometres(1)).run(vehicle), from: rested)
    }

    @Test(
        "With road-like vibration, the next position check detects the departure, and the trip begins where the lorry stood.",
        arguments: seeds)
    func shakenDeparture(seed: UInt64) {
        let rested = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1))
            .stand(for: .seconds(600 + Int(seed) * 7), vibration: Self.diesel)
        let run = rested.drive(.kilometres(2)).run(vehicle)
        let found = run.motionchanges.last
        #expect(found?.value.isMoving == true)
        #expect(rested.distance(to: found?.value.position) <= Metres(10))
        #expect((found?.time ?? .zero) - rested.end <= .seconds(40))
    }

    @Test("Starting and stopping the engine is no trip.", arguments: seeds)
    func warmUp(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).park(for: .minutes(5))
        let over = parked.stand(for: .minutes(10), vibration: Self.diesel).park(for: .minutes(5))
        let run = over.run(vehicle)
        #expect(run.trips.count == 1)
        #expect(!run.isMoving(at: over.end))
        #expect(parked.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect((run.engine.odometer - parked.travelled).magnitude < Metres(20))
        #expect(run.departures(from: parked, to: over) <= 1)
        #expect(run.receiverShare(from: parked, to: over) < 0.25)
    }
}
