import Quantities
import Simulation
import Testing
import Tracking
import TrackingOptions

@Suite("A bad antenna")
struct BadAntenna {
    @Test(
        "makes one trip of a drive, with no point that is more wrong than accuracyLimit says", arguments: 1...UInt64(10)
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
        #expect(arrived.distance(to: run.engine.state.parked) <= Metres(200))
        #expect(run.records.allSatisfy { ($0.value.position?.accuracy ?? .zero) <= Metres(200) })
        #expect(run.engine.state.odometer.distance < arrived.travelled * 1.1)
    }

    @Test("does not move a parked vehicle", arguments: seeds)
    func parked(seed: UInt64) {
        var options = vehicle
        options.desiredStoppedUpdateInterval = .minutes(5)
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).sky(.poor)
            .park(for: .minutes(60))
        let run = parked.run(options)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        #expect(run.engine.state.odometer.distance < Metres(1100))
    }

    @Test("makes one trip of the ten minutes with errors of hundreds of metres that were recorded")
    func recordedDrive() throws {
        let run = ScenarioRun(try recorded("2025-06-14_21-17-02"), vehicle)
        #expect(run.departures.count == 1)
        #expect(run.records.allSatisfy { ($0.value.position?.accuracy ?? .zero) <= Metres(200) })
    }
}
