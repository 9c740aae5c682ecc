import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Program start on a moving vehicle")
struct BootOnAMovingVehicle {
    private func parts(seed: UInt64, rate: Int) -> (
        booted: Duration, arrived: Scenario, run: (EngineState, Duration) -> ScenarioRun
    ) {
        let driving = Scenario(seed: seed, rate: rate).drive(.kilometres(3))
        let booted = Duration.seconds(60)
        let whole = driving.park(for: .minutes(4))
        let rest = whole.recording.part(from: booted, to: whole.end)
        return (
            booted, driving,
            { ScenarioRun(rest, vehicle, timeToFirstFix: $1, restoring: $0, clock: nil) }
        )
    }

    @Test("A program start while driving loses no more than the time to first fix.", arguments: seeds, [1, 35])
    func fresh(seed: UInt64, seconds: Int) {
        let (booted, arrived, play) = parts(seed: seed, rate: 10)
        let run = play(EngineState(), .seconds(seconds))
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        #expect(run.departures.first.map { $0 <= .seconds(seconds + 5) } == true)
        let first = run.records.first { $0.value.kind == .location }
        #expect(first.map { $0.time <= .seconds(seconds + 5) } == true)
        expectStop(run, arrived, booted)
    }

    @Test("Without an accelerometer, the first fixes show that the vehicle is driving.", arguments: seeds, [1, 35])
    func deaf(seed: UInt64, seconds: Int) {
        let (booted, arrived, play) = parts(seed: seed, rate: 1)
        let run = play(EngineState(), .seconds(seconds))
        #expect(run.departures.first.map { $0 <= .seconds(seconds + 5) } == true)
        expectStop(run, arrived, booted)
    }

    @Test("The trip begins at the last known parked place.", arguments: seeds)
    func parkedElsewhere(seed: UInt64) {
        let before = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).run(vehicle).engine.state
        let (booted, arrived, play) = parts(seed: seed, rate: 10)
        let run = play(before, .seconds(1))
        #expect(run.motionchanges.first?.value.position == before.logbook.parked)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        expectStop(run, arrived, booted)
    }

    private func expectStop(_ run: ScenarioRun, _ arrived: Scenario, _ booted: Duration) {
        let stop = run.motionchanges.last
        #expect(stop?.value.isMoving == false)
        #expect(arrived.distance(to: stop?.value.position) <= Metres(10))
        #expect(stop.map { ($0.value.time - arrived.date).magnitude <= .seconds(5) } == true)
        #expect(stop.map { $0.time + booted - arrived.end <= .seconds(190) } == true)
    }
}
