import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("The journals of recorded and synthetic drives")
struct Journals {
    private static let recordings = ["sample_trip", "2025-06-14_21-17-02", "2023-08-09_12-47-42"]

    @Test(
        "A drive has its stored fingerprint; `TRACKERD_WRITE_DOCS=1` rewrites it, `TRACKERD_JOURNALS=FOLDER` writes every line."
    )
    func same() throws {
        var golden = try GoldenLines("drives.txt")
        for name in Self.recordings {
            #expect(golden.difference(of: try summary(of: "\(name), vehicle", try recorded(name), vehicle)) == nil)
            #expect(
                golden.difference(of: try summary(of: "\(name), everything", try recorded(name), Self.everything))
                    == nil)
        }
        for seed in 1...12 {
            let drive = Self.scenario(seed: UInt64(seed)).recording
            let options = seed.isMultiple(of: 2) ? vehicle : Self.everything
            #expect(golden.difference(of: try summary(of: "scenario \(seed)", drive, options)) == nil)
        }
        #expect(try golden.finish())
    }

    /// Options that also enable the records that are off by default.
    private static let everything: TrackingOptions = {
        var options = vehicle
        options.drivingEvents = true
        options.useVisits = true
        options.tripGap = .seconds(200)
        options.stationaryInterval = .seconds(60)
        options.useMovingGeofence = true
        options.heartbeatInterval = .seconds(600)
        return options
    }()

    private func summary(of title: String, _ drive: Drive, _ options: TrackingOptions) throws -> String {
        var journal = Journal()
        var replay = Replay(Timeline([drive], gap: .zero), EngineConfiguration(options: options))
        replay.run { effect, now in journal.note(effect, at: now) }
        journal.fixes = drive.fixes.count
        journal.note(replay.engine, at: .boot + drive.length)
        journal.note(replay.engine.state)
        let (sum, end) = (replay.summary, Instant.boot + drive.length)
        journal.add("\(sum.trips) trips, \(sum.stops) stops, \(sum.distance), \(sum.movingTime(at: end)) moving")
        try journal.save(as: title)
        return "\(title): \(journal.summary)"
    }

    /// Returns a scenario with ten random phases; the vehicle is parked before and after them.
    private static func scenario(seed: UInt64) -> Scenario {
        var random = SplitMix(seed: seed)
        var scenario = Scenario(seed: seed, rate: 10).ignition(isOn: true).park(for: .minutes(1))
        let skies: [SkyView] = [.open, .open, .open, .poor, .none]
        for _ in 0..<10 {
            scenario = scenario.sky(skies[Int(random.next() % UInt64(skies.count))])
            let seconds = Duration.seconds(Int(random.uniform(20...200)))
            switch random.next() % 9 {
            case 0...3:
                scenario = scenario.drive(
                    Metres(random.uniform(100...3000)), at: MetresPerSecond(random.uniform(2...30)))
            case 4: scenario = scenario.stand(for: seconds)
            case 5: scenario = scenario.park(for: seconds, vibration: .weather).slamDoor()
            case 6: scenario = scenario.carry(Metres(random.uniform(50...2000)), for: seconds, vibration: .motorway)
            case 7: scenario = scenario.ignition(isOn: random.next() % 2 == 0)
            default: scenario = scenario.park(for: seconds * 2)
            }
        }
        return scenario.sky(.open).drive(.kilometres(1)).ignition(isOn: false).park(for: .minutes(6))
    }
}
