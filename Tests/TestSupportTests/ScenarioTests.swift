import Motion
import Quantities
import Recordings
import Testing
import Tracking
import TrackingOptions

@testable import TestSupport

@Suite("Scenarios")
struct ScenarioTests {
    @Test("A recording is the same for the same seed, and different for another seed.")
    func seeds() {
        func recording(_ seed: UInt64) -> Drive {
            Scenario(seed: seed).park(for: .seconds(20)).slamDoor().drive(Metres(100)).recording
        }
        #expect(recording(1).samples.map(\.value) == recording(1).samples.map(\.value))
        #expect(recording(1).fixes.map(\.value) == recording(1).fixes.map(\.value))
        #expect(recording(1).samples.map(\.value) != recording(2).samples.map(\.value))
        #expect(recording(1).fixes.map(\.value) != recording(2).fixes.map(\.value))
    }

    @Test("The recording of an extended scenario begins with the recording of the shorter scenario.")
    func prefix() {
        let short = Scenario(seed: 7).park(for: .seconds(30))
        let long = short.drive(.kilometres(1)).recording
        #expect(long.part(to: short.end).fixes.map(\.value) == short.recording.fixes.map(\.value))
        #expect(long.part(to: short.end).samples.map(\.value) == short.recording.samples.map(\.value))
    }

    @Test(
        "The vibration of a recording is in the range of its profile.",
        arguments: [
            (VibrationProfile.rest, 0.02...0.08), (.idling, 0.08...0.11), (.road, 0.26...0.7), (.weather, 0.02...0.15),
        ])
    func vibration(vibration: VibrationProfile, levels: ClosedRange<Double>) {
        let drive = Scenario(seed: 3).stand(for: .minutes(3), vibration: vibration).recording
        #expect(drive.samples.count == 180 * 25)
        for second in 0..<180 {
            var window = MotionWindow()
            for sample in drive.samples[(second * 25)..<(second * 25 + 25)] { window.add(sample.value) }
            // With 25 samples, the standard deviation is wrong by more than half in less than 0.1 % of the cases.
            let deviation = window.deviation.value
            #expect(deviation > levels.lowerBound * 0.5 && deviation < levels.upperBound * 1.5)
        }
    }

    @Test("A slammed door is a shock of less than a second that exceeds the vibration of any road.")
    func door() {
        let drive = Scenario(seed: 5).slamDoor().recording
        let struck = drive.samples.filter { ($0.value.z - 9.81).magnitude > 0.4 }.map(\.time)
        #expect(drive.length < .seconds(3))
        #expect(struck.count >= 4)
        #expect(struck.max().flatMap { last in struck.min().map { last - $0 } } ?? .seconds(9) <= .milliseconds(800))
    }

    @Test("A drive covers its distance and ends at rest at a known place.")
    func drive() throws {
        let scenario = Scenario(seed: 1).drive(.kilometres(1), at: .kilometresAnHour(36))
        // The vehicle accelerates to 10 m/s in 6.7 s and 33 m, drives 942 m in 94.2 s, and brakes in 5 s and 25 m.
        #expect(scenario.end == .seconds(106))
        let place = try #require(scenario.place)
        let home = try #require(Scenario(seed: 1).place)
        let offset = home.offset(to: place)
        #expect((offset.east - Metres(800)).magnitude < Metres(0.1))
        #expect((offset.north - Metres(200)).magnitude < Metres(0.1))
        let fixes = scenario.recording.fixes.map(\.value)
        #expect(fixes.compactMap(\.speed).max().map { $0 < MetresPerSecond(11.2) } == true)
        #expect(fixes.last?.speed.map { $0 < MetresPerSecond(3) } == true)
    }

    @Test(
        "Position errors are metres under an open sky and hundreds of metres with a bad antenna.",
        arguments: 1...UInt64(5))
    func errors(seed: UInt64) throws {
        func errors(_ skyView: SkyView) throws -> [Double] {
            let scenario = Scenario(seed: seed, rate: 1).sky(skyView).park(for: .minutes(20))
            let place = try #require(scenario.place)
            return scenario.recording.fixes.compactMap { $0.value.coordinate?.distance(to: place).value }.sorted()
        }
        let open = try errors(.open)
        #expect(open.count == 1200)
        #expect((1...5).contains(open[600]) && open[1199] < 12)
        let poor = try errors(.poor)
        #expect((80...400).contains(poor.count))
        #expect((40...400).contains(poor[poor.count / 2]))
    }

    @Test("Without sky, reports have no position; a frozen receiver repeats reports, and a silent receiver sends none.")
    func reception() {
        let drive = Scenario(seed: 1, rate: 1).park(for: .seconds(10)).sky(.none).park(for: .seconds(10))
            .sky(.open).park(for: .seconds(10)).sky(.frozen).park(for: .seconds(10))
            .sky(.silent).park(for: .seconds(10)).recording
        #expect(drive.fixes.count == 40)
        #expect(drive.fixes[10..<20].allSatisfy { $0.value.mode == .noFix && $0.value.coordinate == nil })
        #expect(drive.fixes[30..<40].allSatisfy { $0.value == drive.fixes[29].value })
    }

    @Test("The ignition is switched at its time in the scenario.")
    func ignition() {
        let drive = Scenario(seed: 1).park(for: .seconds(5)).ignition(isOn: true).park(for: .seconds(5)).recording
        #expect(drive.others.map(\.value) == [.ignition(isOn: true)])
        #expect(drive.others.map(\.time) == [.seconds(5)])
    }
}

@Suite("The receiver in a replay")
struct ReplayReceiverTests {
    @Test("After it is switched on, a receiver reports every second that it has no fix, and then its fixes.")
    func searching() {
        let scenario = Scenario(seed: 1).park(for: .minutes(2))
        let run = scenario.run(Profile.vehicle.options, timeToFirstFix: .seconds(40))
        let refused = run.effects.filter { $0.value == .refused(.noFix) }.map(\.time)
        #expect(refused == (1..<40).map { .seconds($0) })
        #expect(run.receiver == [.zero..<(.seconds(41))])
        #expect(run.receiverTime(from: .seconds(30), to: .seconds(60)) == .seconds(11))
    }

    @Test("A replay continues from a restored state, and only fixes set its clock.")
    func restored() {
        let parked = Scenario(seed: 1).park(for: .minutes(1))
        let before = parked.run(Profile.vehicle.options).engine.state
        let whole = parked.drive(Metres(500))
        let rest = whole.recording.part(from: parked.end, to: whole.end)
        let run = ScenarioRun(rest, Profile.vehicle.options, restoring: before, clock: nil)
        #expect(run.records.first?.value.isTimeTrusted == false)
        #expect(run.motionchanges.first?.value.position == before.logbook.parked)
        #expect(run.isMoving(at: run.length) && !run.isMoving(at: .zero))
    }
}
