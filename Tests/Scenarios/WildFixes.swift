import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("Wild fixes")
struct WildFixes {
    /// Moves the fixes for which `isWild` is true by 300 m to the east and by `distance` to the north.
    private func spoiled(_ drive: Drive, by distance: Metres, where isWild: (Int) -> Bool) -> Drive {
        var spoiled = drive
        spoiled.fixes = drive.fixes.enumerated().map { index, timed in
            guard isWild(index) else { return timed }
            var fix = timed.value
            fix.coordinate = fix.coordinate?.moved(east: Metres(300), north: distance)
            return .init(timed.time, fix)
        }
        return spoiled
    }

    @Test(
        "Wild fixes that agree for less than ten seconds neither start a trip nor become records while parked.",
        arguments: seeds, [2, 5, 8])
    func parked(seed: UInt64, count: Int) {
        // The sample rate is too low for an accelerometer, so trackerd checks the position every 30 s. A check may begin at any
        // moment of the wild fixes.
        let parked = Scenario(seed: seed, rate: 1).park(for: .minutes(60))
        var options = vehicle
        options.desiredStoppedUpdateInterval = .seconds(60)
        let run = ScenarioRun(spoiled(parked.recording, by: Metres(2000)) { $0 % 47 >= 47 - count }, options)
        #expect(run.departures.isEmpty)
        let places = run.records.compactMap(\.value.position)
        #expect(places.count > 20 && places.allSatisfy { parked.distance(to: $0) < Metres(50) })
        #expect(run.engine.odometer < Metres(50))
    }

    @Test("Wild fixes on the road add nothing to the odometer.", arguments: seeds, [1, 2, 3, 9, 15])
    func driving(seed: UInt64, count: Int) {
        let parked = Scenario(seed: seed).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(5)).park(for: .minutes(4))
        let run = ScenarioRun(
            spoiled(arrived.recording, by: Metres(5000)) { (300..<300 + count).contains($0) }, vehicle)
        #expect(run.departures.count == 1 && run.trips.count == 1)
        #expect((4900.0...5100).contains(run.engine.odometer.value))
    }

    @Test("A vehicle that is far away after a tunnel or a ferry is found at its new place.", arguments: seeds)
    func tunnel(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(2)).drive(.kilometres(2)).sky(.silent)
        let out = parked.drive(.kilometres(3), at: .kilometresAnHour(80)).sky(.open).drive(.kilometres(2))
        let run = out.park(for: .minutes(4)).run(vehicle)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        expectStop(run, at: out)
        #expect((5900.0...7200).contains(run.engine.odometer.value))
    }
}
