import Foundation
import Peers
import Testing

@Suite("Recordings of the sensors' reports")
struct RecordTests {
    private let vehicle: Vehicle
    private let file: String

    init() throws {
        vehicle = try Vehicle()
        file = vehicle.scratch.path + "/drive.drive"
    }

    private func record() throws -> Daemon {
        let recorder = try Daemon(
            ["record", file, "--config", vehicle.config],
            log: URL(fileURLWithPath: vehicle.scratch.path + "/record.log"))
        #expect(eventually { !vehicle.scratch.lines(of: "drive.drive").isEmpty })
        return recorder
    }

    @Test("The replay of a recording makes the same decisions as the daemon did, at the same times.")
    func sameDecisions() throws {
        try vehicle.scratch.write(Self.twoTrips, to: "drive.csv")
        // A pause of the machine delays decisions of the daemon, but not those of the replay. A recorder that starts
        // late misses the departure. At a lower speed, the same pause is a shorter part of the drive.
        for speed in [25, 10, 5] {
            try recordDrive(speed: speed)
            let times = recordedTimes
            let longestGap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .infinity
            if longestGap < 6, let first = times.first, let last = times.last, last - first > 700 { break }
        }
        let (text, errors, status) = try Daemon.output(["replay", file, "--config", vehicle.config])
        #expect(status == 0 && errors.isEmpty, "\(errors)")
        let seen = Changes(vehicle.scratch.lines(of: "events"))
        let replayed = Changes(text.split(separator: "\n"))
        #expect(seen.states == ["moving", "stationary", "moving", "stationary"])
        #expect(replayed.states == seen.states)
        #expect(replayed.reasons == seen.reasons)
        // If the replay detected other stops, the times would differ by minutes.
        for (one, other) in zip(seen.intervals, replayed.intervals) { #expect(abs(one - other) < 10) }
    }

    /// Records the two trips with a daemon whose database is empty at the start.
    private func recordDrive(speed: Int) throws {
        let path = vehicle.scratch.path
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name.hasPrefix("t.sqlite") || ["events", "log", "drive.drive"].contains(name) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", path + "/drive.csv", "--speed", "\(speed)", "--exit-at-end",
                "--events",
                path + "/events", "--config", vehicle.config,
            ], log: URL(fileURLWithPath: path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        let recorder = try record()
        #expect(daemon.wait() == 0)
        #expect(recorder.wait() == 0)
        #expect(!recorder.logged.contains("because the command wrote"), "\(recorder.logged)")
    }

    /// The times of the reports in the recording, in seconds of the drive; without pauses of the machine, the accelerometer
    /// reports at least once a second.
    private var recordedTimes: [Double] {
        vehicle.scratch.lines(of: "drive.drive").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["t_s"] as? Double
        }
    }

    @Test("An interrupted recording is complete up to the moment of the interruption.")
    func interrupted() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        let recorder = try record()
        #expect(eventually { vehicle.scratch.lines(of: "drive.drive").count > 20 })
        recorder.signal(SIGINT)
        #expect(recorder.wait() == 0)
        #expect(daemon.endInTime() == 0)
        let (text, errors, status) = try Daemon.output(["replay", file, "--summary"])
        #expect(status == 0 && errors.isEmpty && text.contains(#""event":"summary""#))
    }

    @Test("The name of a recording must end in `.drive`.")
    func name() throws {
        let (_, errors, status) = try Daemon.output(["record", vehicle.scratch.path + "/drive.txt"])
        #expect(status != 0 && errors.contains("does not end in .drive"))
    }

    /// Two trips of a minute at 15 m/s to the east, with the accelerometer's samples.
    ///
    /// The vehicle is parked for 200 s before the first trip, and for 260 s after each trip. Its engine runs for 40 s
    /// before each trip, longer than any gap that the test accepts. The accelerometer therefore shows motion well before
    /// two fixes show speed, and the motion is always the reason for the departure.
    private static let twoTrips: String = {
        let trips = [200..<260, 520..<580]
        var lines = ["t_s,ax,ay,az,lat,lon,speed_mps,course_deg,hacc_m"]
        for tick in 0..<(840 * 5) {
            let second = tick / 5
            let isMoving = trips.contains { $0.contains(second) }
            let isShaking = trips.contains { ($0.lowerBound - 40..<$0.upperBound).contains(second) }
            let shake = isShaking ? Double(tick * 7 % 13) / 4 : 0
            let driven = trips.map { min(60, max(0, second - $0.lowerBound)) }.reduce(0, +)
            let place = "52.374,\(4.8897 + Double(driven) * 0.00022),\(isMoving ? 15 : 0),90,4"
            lines.append("\(Double(tick) / 5),0,0,\(9.8 + shake),\(tick.isMultiple(of: 5) ? place : ",,,,")")
        }
        return lines.joined(separator: "\n") + "\n"
    }()
}

/// The changes of state in the lines of `--events` or of a replay.
private struct Changes {
    private(set) var states: [String] = []
    private(set) var reasons: [String] = []
    private var times: [Double] = []

    init(_ lines: [Substring]) {
        for line in lines {
            let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
            if let state = object["state"] as? String {
                states.append(state)
                times.append(object["t"] as? Double ?? .nan)
            }
            let subject = object["subject"] as? String
            if subject == "start" || subject == "stop" { reasons.append(object["text"] as? String ?? "") }
        }
    }

    /// In seconds.
    var intervals: [Double] { zip(times, times.dropFirst()).map { $1 - $0 } }
}
