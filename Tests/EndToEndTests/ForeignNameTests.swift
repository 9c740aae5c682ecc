import Foundation
import Peers
import Testing

/// Names that set a terminal's title or colours, that forge a line, or that a terminal shows backwards.
private let hostile = [
    "\u{1B}]0;owned\u{7}", "x\nodometer       999999 km", "a\u{9B}31mred", "cba\u{202E}abc", "a\u{2028}b",
]

@Suite("A name with control characters for a terminal or with a forged line")
struct ForeignNameTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try configure(device: "van1")
    }

    private func configure(device: String, target: String = "") throws {
        try scratch.write(
            """
            device: \(device)
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            \(target)
            """, to: "config.yaml")
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    @Test("The daemon rejects a name with control characters, and neither its log nor a command prints them.")
    func refused() throws {
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "10",
                "--log-level", "trace", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        for name in hostile {
            for words in [
                ["waypoint", "set", name, "--at", "52.25,13.5"], ["region", "set", name, "--at", "52.25,13.5"],
                ["trip", "start", "--id", name], ["trip", "start", "--metadata", "driver=\(name)"],
                ["locate", "--action-type", name],
            ] {
                let (text, errors, status) = try Daemon.output(words + ["--config", scratch.path + "/config.yaml"])
                #expect(text.isEmpty && status != 0)
                #expect(errors.contains("contains a control character, a line separator or"))
                expectPlain(errors)
            }
        }
        let long = String(repeating: "n", count: 30_000)
        #expect(try run("trip", "start", "--id", long).errors.contains("`tripId` is longer than 256 bytes."))
        #expect(try run("waypoint", "set", "View", "--at", "52.25,13.5").status == 0)
        #expect(try run("waypoint", "list").text == "View  52.25, 13.5\n")
        expectPlain(try run("status").text)
        #expect(daemon.end() == 0)
        expectPlain(daemon.logged)
        #expect(!daemon.logged.contains("owned") && !daemon.logged.contains("999999"))
    }

    @Test("The configuration rejects a name with control characters.", arguments: hostile)
    func inConfiguration(name: String) throws {
        let text = name.unicodeScalars.map { $0.value < 127 && $0.value > 31 ? "\($0)" : "\\U" + hex($0) }.joined()
        try configure(device: "\"\(text)\"")
        let result = try run("config", "show")
        #expect(result.status != 0 && result.errors.contains(":1: `device` contains a control character"))
        expectPlain(result.errors)
    }

    @Test("The log shows control characters in a name, for example of a file, as escapes.")
    func inLog() throws {
        let file = scratch.path + "/c\u{1B}[31m\u{202E}\n.yaml"
        let text = try String(contentsOfFile: scratch.path + "/config.yaml", encoding: .utf8)
        try Data((text + "\ntracking: {transistor: {debug: true}}\n").utf8).write(to: URL(fileURLWithPath: file))
        let daemon = try Daemon(
            ["run", "--gpsd", "127.0.0.1:\(freePort())", "--config", file],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        #expect(daemon.logged.contains(#"/c\u{1b}[31m\u{202e}\u{a}.yaml:5: `tracking.transistor.debug` is a key of"#))
        expectPlain(daemon.logged)
        #expect(daemon.end() == 0)
    }

    @Test("A target's device name that would be a path is rejected.", arguments: [".", ".."])
    func folder(name: String) throws {
        try configure(
            device: "van1", target: "targets: [{name: home, url: \"http://127.0.0.1:1/pub\", device: \"\(name)\"}]")
        #expect(try run("config", "show").errors.contains("`device` is `\(name)`, which names a folder."))
    }

    @Test(
        "A command shows control characters in a daemon's reply as escapes.",
        .enabled(if: ScriptedDaemon.python != nil, "not installed: python3"))
    func fromAnotherDaemon() throws {
        for name in hostile {
            let quoted = String(decoding: try JSONEncoder().encode([name]), as: UTF8.self).dropFirst().dropLast()
            let waypoint = #"{"desc":\#(quoted),"lat":1.5,"lon":2.5,"tst":1,"rid":"1","shared":true}"#
            let list = try ScriptedDaemon(answering: #"{"ok":true,"result":[\#(waypoint)]}"#)
            let waypoints = try Daemon.output(["waypoint", "list", "--socket", list.socket])
            #expect(waypoints.status == 0 && waypoints.text.contains("\\u{"))
            expectPlain(waypoints.text)
            #expect(waypoints.text.count { $0 == "\n" } == 1)
            let refusal = try ScriptedDaemon(answering: #"{"ok":false,"error":\#(quoted)}"#)
            let refused = try Daemon.output(["move", "--socket", refusal.socket])
            #expect(refused.status != 0 && refused.errors.contains("\\u{"))
            expectPlain(refused.errors)
        }
    }

    private func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Expects a text to contain only printable characters and line breaks.
    private func expectPlain(_ text: String) {
        let steering = text.unicodeScalars.filter { scalar in
            scalar != "\n"
                && (scalar.value < 32 || 0x7F...0x9F ~= scalar.value || [0x2028, 0x202E].contains(scalar.value))
        }
        #expect(steering.isEmpty)
    }
}
