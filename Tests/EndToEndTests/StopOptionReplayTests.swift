import Peers
import Testing

/// Checks the options of starts and stops in a replay.
///
/// The vehicle drives at 15 m/s from 120 to 3120 s, and is parked before and after.
@Suite("Options of starts and stops, in a replay")
struct StopOptionReplayTests {
    /// The section `tracking`, a state, and the time when the vehicle first enters that state, in seconds.
    static let rows: [(tracking: String, state: String, at_s: ClosedRange<Double>)] = [
        ("{}", "moving", 120...125), ("{motionTriggerDelay: 30}", "moving", 148...155),
        ("{}", "stationary", 3300...3306), ("{stopTimeout: 60}", "stationary", 3180...3186),
        ("{stopTimeout: 60, stopDetectionDelay: 30}", "stationary", 3210...3216),
        // The stop timeout is too long for a stop by stillness, so the place rule confirms the stop.
        ("{stopTimeout: 3600}", "stationary", 3318...3325),
        ("{stopTimeout: 3600, stopDuration: 300}", "stationary", 3418...3425),
        ("{profile: responsive}", "stationary", 3265...3275),
        ("{profile: responsive, stopDuration: 300}", "stationary", 3415...3425),
        // In 140 s the vehicle drives 2100 m.
        ("{profile: responsive, stopDistance: 3000}", "stationary", 265...275),
        ("{profile: trckr}", "stationary", 3230...3240),
        ("{profile: trckr, stationaryInterval: 300}", "stationary", 3405...3415),
        // In 120 s the vehicle drives 1800 m. A change of only one of the two limits, distance or speed, has no effect.
        ("{profile: trckr, stationaryDistance: 5000}", "stationary", 3225...3240),
        ("{profile: trckr, stationarySpeed: 20}", "stationary", 3225...3240),
        ("{profile: trckr, stationaryDistance: 5000, stationarySpeed: 20}", "stationary", 240...250),
    ]

    @Test("An option of starts and stops changes the time of a start or stop in a replay.", arguments: rows)
    func changes(tracking: String, state: String, at_s: ClosedRange<Double>) throws {
        let scratch = try Scratch()
        try scratch.write("device: van1\ntracking: \(tracking)\n", to: "config.yaml")
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", "--config", scratch.path + "/config.yaml")
        let first = try #require(drive.states.first { $0.name == state })
        #expect(at_s.contains(first.at_s), "\(state) after \(first.at_s) s")
    }
}
