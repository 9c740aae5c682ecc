import Foundation
import Peers
import Testing

/// The commands that a new user types, with and without mistakes, and the text that the terminal shows.
@Suite("Commands in a terminal", .enabled(if: ScriptedTerminal.python != nil, "not installed: python3"))
struct TranscriptTests {
    private let samples: TripSamples

    init() throws { samples = try TripSamples() }

    /// A file of Tests/Golden/transcripts, with the commands in their order.
    struct Transcript: CustomTestStringConvertible {
        let name: String
        let commands: [String]

        var testDescription: String { name }
    }

    static let history = Transcript(
        name: "history",
        commands: [
            "trips", "trips list --utc", "trips show 1", "trips show 9", "trips show", "trips name 1 Piano",
            "why '2025-10-26 00:00'", "why 25:00", "why", "export --format gpx --trip 9",
            "export --format gpx --trip 1 --output trip.gpx", "export --format pdf",
            "report --day 2025-10-26 --output day.html",
            "report --day 2025-11-26", "report --day tomorrow", "backup copy.sqlite", "backup copy.sqlite",
            "restore none.sqlite",
            "doctor --databse t.sqlite", "profiles car", "frobnicate", "trip", "statsu",
        ])

    static let withoutDaemon = Transcript(
        name: "without-daemon",
        commands: [
            "status", "watch", "locate", "move", "mode", "mode quiet", "tracking stop", "trip start", "odometer",
            "queue", "stay", "private on", "awake on", "restart",
            "region list", "waypoint list", "record now.drive", "config reload", "trips --config none.yaml",
            "status --config none.yaml", "config check config.yaml", "config check none.yaml", "replay none.csv",
            "run --config none.yaml", "run --bord pi4", "page --listen nowhere", "page --listen 0.0.0.0:8080",
        ])

    static let running = Transcript(
        name: "running",
        commands: [
            "status", "mode", "mode -1", "mode 2", "mode quiet", "mode loud", "mode --quiet", "mode quiet move",
            "mode default",
            "tracking", "tracking show", "tracking start",
            "tracking start --options none.yaml", "odometer", "odometer set 1200", "odometer set -5",
            "odometer set far",
            "region list", "region set Depot --at 52.5,13.4 --radius 100",
            "region set Depot --at 152.5,13.4 --radius 100", "region set Yard --at here", "region", "region set Depot",
            "region list",
            "waypoint list", "waypoint remove Depot", "waypoint remove Depot", "queue", "queue retry",
            "queue retry --target office", "queue drop", "queue drop --waiting 3 --yes", "queue drop --yes",
            "trip start --id 7 --metadata driver=Ada", "trip start --metadata driver",
            "trip end",
            "trip end", "move", "stay", "private", "private on --for 2h", "status", "private on --for tomorrow",
            "private off",
            "private off", "awake", "awake on", "awake on --for 2d", "awake off", "awake off", "config reload",
            "trips name 99 Nothing", "trips purge 99 --yes",
            "trips purge 1",
        ])

    @Test(
        "Commands that read the database print the text of their transcript; `TRACKERD_WRITE_DOCS=1` rewrites it."
    )
    func database() throws {
        try check(Self.history)
    }

    @Test("Commands that need the daemon explain what to do if no daemon runs.")
    func noDaemon() throws {
        try check(Self.withoutDaemon)
    }

    @Test("Commands to a running daemon print the text of their transcript.")
    func daemon() throws {
        try samples.scratch.write(
            "device: van1\nstore: {path: live.sqlite}\ncontrol: {socket: control.sock}\ntimeZone: Europe/Berlin\n",
            to: "config.yaml")
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        // At this speed, the replay remains within the first seconds of the drive, in which the vehicle is parked.
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", drive, "--speed", "0.01", "--config", "config.yaml",
            ], log: URL(fileURLWithPath: samples.scratch.path + "/log"),
            prefix: ["/usr/bin/env", "-C", samples.scratch.path])
        #expect(eventually { isListening(at: samples.scratch.path + "/control.sock") })
        try check(Self.running)
        #expect(daemon.endInTime() == 0)
    }

    private func check(_ transcript: Transcript) throws {
        var text = ""
        for command in transcript.commands {
            let line = "cd \(samples.scratch.path); \(Daemon.program) \(withConfiguration(command))"
            let (shown, status) = try ScriptedTerminal.run(
                ["/usr/bin/env", "TZ=Europe/Berlin", "COLUMNS=80", "/bin/sh", "-c", line], answers: [])
            text += "$ trackerd \(command)\n\(plain(shown))[\(status)]\n\n"
        }
        let golden = Daemon.root.appendingPathComponent("Tests/Golden/transcripts/\(transcript.name).txt")
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: golden, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        #expect(text == expected, "\(Self.difference(text, expected))")
    }

    private static func difference(_ text: String, _ expected: String) -> String {
        let lines = [text, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let pairs = zip(lines[0], lines[1]).filter { $0 != $1 }.prefix(3)
        return pairs.map { "\($0) instead of \($1)" }.joined(separator: "; ")
    }

    /// Adds the path of the configuration to the commands that need one.
    ///
    /// A user does not add the path, because the user's configuration is in /etc/trackerd.
    private func withConfiguration(_ command: String) -> String {
        let words = command.split(separator: " ")
        let takesNone = ["replay", "frobnicate", "statsu", "profiles", "page"].contains(words[0])
        let isGiven =
            command.contains("--config") || command.contains("--database") || command.hasPrefix("config check")
        let isIncomplete = ["trip", "tracking", "region", "private", "awake"].contains(command)
        return takesNone || isGiven || isIncomplete ? command : command + " --config config.yaml"
    }

    /// Replaces the parts that differ from run to run.
    private func plain(_ text: String) -> String {
        let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
        return text.replacing(samples.scratch.path, with: "/home/ada")
            .replacingOccurrences(of: uuid, with: "UUID", options: .regularExpression)
            .replacingOccurrences(of: #"\d+ (s|ms) ago"#, with: "N $1 ago", options: .regularExpression)
            // The daemon needs a few seconds to start, which are a few hundredths of a second of the drive.
            .replacingOccurrences(of: #"T00:00:00\.0\d\dZ"#, with: "T00:00:00.000Z", options: .regularExpression)
            .replacingOccurrences(of: #"on for \d+ s"#, with: "on for N s", options: .regularExpression)
            .replacingOccurrences(of: #"\d+(\.\d+)? (KB|KiB|MiB|MB|bytes)"#, with: "N $2", options: .regularExpression)
    }
}
