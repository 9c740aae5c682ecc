import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("The program")
struct CommandTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("device: van1\nstore: {path: \"\(scratch.path)/t.sqlite\"}\n", to: "config.yaml")
    }

    @Test("The program ends within two seconds of SIGTERM, with everything on disk.")
    func sigterm() throws {
        let arguments = [
            "--board", "bare", "--gpsd", "127.0.0.1:\(freePort())", "--config", scratch.path + "/config.yaml",
        ]
        let daemon = try Daemon(arguments, log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains(": no connection (") })
        let began = ContinuousClock.now
        #expect(daemon.end() == 0)
        #expect(ContinuousClock.now - began < .seconds(2))
        #expect(daemon.logged.contains("Ended."))
        var stored: [Record.Content] = []
        try History(path: scratch.path + "/t.sqlite").forEach(in: RecordSpan()) { stored.append($0.record.content) }
        let start = StartReport(version: "0.1.0", board: "bare", boots: 1)
        #expect(stored == [.power(.started, start: start), .power(.shutdown)])
    }

    @Test(
        "The error for a wrong argument names the correction.",
        arguments: [
            (["run", "--board", "pi9"], "`pi9` is not a known board."),
            (["run", "--board", "sim"], "Choose a drive with --drive."),
            (["run", "--gpsd", "localhost:x"], "is not a gpsd address."),
            (["run", "--board", "bare", "--speed", "5"], "need --board sim."),
            (["run", "--log-level", "loud"], "`loud` is not a log level."),
            (
                ["replay", "/nonexistent.csv"],
                "/nonexistent.csv: the drive could not be read (No such file or directory)."
            ),
            (["replay", "--profile", "vehicel", "x.csv"], "Did you mean `vehicle`?"),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let config = arguments.first == "run" ? ["--config", scratch.path + "/config.yaml"] : []
        let (_, errors, status) = try Daemon.output(arguments + config)
        #expect(errors.contains(message))
        #expect(status != 0)
    }

    @Test("A configuration with an error is rejected with its line.")
    func badConfiguration() throws {
        try scratch.write("device: van1\ntracking:\n  stopTimout: 90\n", to: "bad.yaml")
        let (_, errors, status) = try Daemon.output(["run", "--config", scratch.path + "/bad.yaml"])
        #expect(errors.contains("bad.yaml:3: `tracking.stopTimout` is not an option. Did you mean `stopTimeout`?"))
        #expect(status != 0)
        try scratch.write("device: van1\nboard: pi44\n", to: "board.yaml")
        for command in [["run", "--config"], ["config", "check"]] {
            let (_, errors, status) = try Daemon.output(command + [scratch.path + "/board.yaml"])
            #expect(errors.contains("board.yaml:2: `pi44` is not a known board. Did you mean `pi4`?"))
            #expect(status != 0)
        }
    }
}

@Suite("A replay")
struct ReplayTests {
    static let traces = ["sample_trip", "2023-08-09_12-47-42", "2025-06-14_21-17-02"]

    @Test("A replay produces the events that a person has checked against the real drive.", arguments: traces)
    func golden(trace: String) throws {
        let folder = Daemon.root.path + "/Tests/Traces/"
        let (text, errors, status) = try Daemon.output(["replay", folder + trace + ".csv.gz"])
        #expect(status == 0 && errors.isEmpty)
        // The points of a long track would hide the events, so the test omits the points; the summary contains their number.
        let lines = text.split(separator: "\n").filter { !$0.contains(#""kind":"location""#) }
        let golden = try String(contentsOfFile: folder + trace + ".ndjson", encoding: .utf8).split(separator: "\n")
        #expect(lines == golden)
    }

    @Test("A replay produces the same bytes each time, and parks the vehicle between two drives.")
    func deterministic() throws {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        let first = try Daemon.output(["replay", drive, drive, "--gap", "900"]).text
        #expect(try Daemon.output(["replay", drive, drive, "--gap", "900"]).text == first)
        let summary = first.split(separator: "\n").last ?? ""
        #expect(summary.contains(#""stops":1"#) && summary.contains(#""trips":2"#))
    }

    @Test("A replay compares profiles in a table.")
    func table() throws {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        let lines = try Daemon.output(["replay", drive, "--profile", "vehicle,motion"]).text.split(separator: "\n")
        #expect(lines.map { $0.split(separator: " ").first } == ["profile", "vehicle", "motion"])
    }
}
