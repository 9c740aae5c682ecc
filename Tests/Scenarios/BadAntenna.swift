import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("A bad antenna")
struct BadAntenna {
    @Test(
        "With a bad antenna a drive is one trip, and no point exceeds accuracyLimit.", arguments: 1...UInt64(10)
    )
    func drive(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).sky(.poor).park(for: .minutes(5))
        let arrived = parked.drive(.kilometres(2)).stand(for: .seconds(60)).drive(.kilometres(3))
        let run = arrived.park(for: .minutes(15)).run(vehicle)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        let departure = run.departures.first ?? .zero
        #expect((.zero...(.seconds(10))).contains(departure - parked.end))
        let arrival = run.arrivals.first ?? .zero
        #expect((.seconds(130)...(.minutes(5))).contains(arrival - arrived.end))
        #expect(arrived.distance(to: run.engine.state.logbook.parked) <= Metres(200))
        #expect(run.records.allSatisfy { ($0.value.position?.accuracy ?? .zero) <= Metres(200) })
        #expect(run.engine.odometer < arrived.travelled * 1.1)
    }

    @Test("A bad antenna does not start a trip of a parked vehicle.", arguments: seeds)
    func parked(seed: UInt64) {
        var options = vehicle
        options.desiredStoppedUpdateInterval = .minutes(5)
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).sky(.poor)
            .park(for: .minutes(60))
        let run = parked.run(options)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        #expect(run.engine.odometer < Metres(1100))
    }

    @Test("A recorded drive of ten minutes with errors of hundreds of metres is one trip.")
    func recordedDrive() throws {
        let run = ScenarioRun(try recorded("2025-06-14_21-17-02"), vehicle)
        #expect(run.departures.count == 1)
        #expect(run.records.allSatisfy { ($0.value.position?.accuracy ?? .zero) <= Metres(200) })
    }
}
