import Foundation
import Peers
import Testing

@Suite("`trackerd watch`")
struct WatchCommandTests {
    private let vehicle: Vehicle
    private var scratch: Scratch { vehicle.scratch }

    init() throws { vehicle = try Vehicle() }

    /// The output goes to the file `output`.
    private func watch(_ arguments: String...) throws -> Daemon {
        // Because of `exec`, the command receives the signals.
        let words = [Daemon.program, "watch", "--config", vehicle.config] + arguments
        return try Daemon(
            [], log: URL(fileURLWithPath: scratch.path + "/watch.log"),
            prefix: ["/bin/sh", "-c", "exec \(words.joined(separator: " ")) >>\(scratch.path)/output", "sh"])
    }

    private func objects(_ lines: [Substring]) throws -> [[String: Any]] {
        try lines.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test("`watch --json` passes on the status, and then the same events as `run --events`, until SIGINT.")
    func stream() throws {
        let daemon = try vehicle.start(["--events", scratch.path + "/events"])
        #expect(eventually { daemon.logged.contains("Started; ") })
        let watcher = try watch("--json")
        // If the watcher connects late, it misses the decision about the departure, but not the one about the arrival.
        #expect(
            eventually {
                let lines = scratch.lines(of: "output")
                return lines.count { $0.contains(#""event":"record""#) } > 10
                    && lines.contains { $0.contains(#""event":"decision""#) }
            })
        watcher.signal(SIGINT)
        #expect(watcher.wait() == 0)
        #expect(daemon.endInTime() == 0)
        let lines = try objects(scratch.lines(of: "output"))
        #expect(lines.first?["event"] as? String == "status")
        #expect(lines.allSatisfy { $0["at"] is String && $0["t"] is Double })
        let seen = lines.compactMap { $0["sequence"] as? Int }
        let all = try objects(scratch.lines(of: "events")).compactMap { $0["sequence"] as? Int }
        let first = try #require(seen.first.flatMap { all.firstIndex(of: $0) })
        #expect(seen == Array(all[first...].prefix(seen.count)))
        #expect(try objects(scratch.lines(of: "output")).contains { $0["event"] as? String == "decision" })
    }

    @Test("`watch` writes one line for each event into a pipe, with the time and its zone.")
    func lines() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Started; ") })
        let watcher = try watch("--utc")
        #expect(eventually { scratch.lines(of: "output").contains { $0.contains("Z  record ") } })
        let lines = scratch.lines(of: "output")
        #expect(lines.first?.contains("Z  status: ") == true)
        let shape = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ  \S.*/#
        #expect(lines.allSatisfy { $0.wholeMatch(of: shape) != nil }, "\(lines)")
        watcher.signal(SIGTERM)
        #expect(watcher.wait() == 0)
        #expect(daemon.endInTime() == 0)
    }

    @Test("`watch` reports a restart of the daemon and connects again.", arguments: [false, true])
    func restart(isJSON: Bool) throws {
        var daemon = try vehicle.start(speed: 1)
        #expect(eventually { daemon.logged.contains("Started; ") })
        let watcher = isJSON ? try watch("--json") : try watch()
        #expect(eventually { !scratch.lines(of: "output").isEmpty })
        #expect(daemon.endInTime() == 0)
        let lost = isJSON ? #"{"connected":false,"event":"connection","reason":"# : "connection to the daemon lost ("
        #expect(eventually { scratch.lines(of: "output").contains { $0.contains(lost) } })
        daemon = try vehicle.start(speed: 1)
        let again = isJSON ? #"{"connected":true,"event":"connection"}"# : "connected to the daemon again"
        #expect(eventually { scratch.lines(of: "output").last?.contains("status") == true && watcher.isRunning })
        #expect(scratch.lines(of: "output").contains { $0.contains(again) })
        watcher.signal(SIGINT)
        #expect(watcher.wait() == 0)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A client that is stopped does not stop the tracker, and continues later.")
    func stopped() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Started; ") })
        let watcher = try watch("--json")
        #expect(eventually { !scratch.lines(of: "output").isEmpty })
        watcher.signal(SIGSTOP)
        #expect(try vehicle.isTracking())
        let before = scratch.lines(of: "output").count
        watcher.signal(SIGCONT)
        #expect(eventually { scratch.lines(of: "output").count > before })
        watcher.signal(SIGINT)
        #expect(watcher.wait() == 0)
        #expect(daemon.endInTime() == 0)
    }

    @Test("Without a daemon, `watch` ends and prints the reason.")
    func noDaemon() throws {
        let (text, errors, status) = try Daemon.output(["watch", "--config", vehicle.config])
        #expect(text.isEmpty && status != 0)
        #expect(errors.contains("\(scratch.path)/control.sock: no daemon answers at this socket"))
    }
}

@Suite("`trackerd watch` in a terminal", .enabled(if: ScriptedTerminal.python != nil, "not installed: python3"))
struct WatchTerminalTests {
    private let vehicle: Vehicle
    private var command: [String] { [Daemon.program, "watch", "--config", vehicle.config] }

    init() throws { vehicle = try Vehicle(targets: ["{name: home, url: \"http://127.0.0.1:\(freePort())/pub\"}"]) }

    @Test("The view fits 80 columns, redraws in place, and Ctrl-C and q restore the terminal.", arguments: ["^C", "q"])
    func view(key: String) throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        let result = try ScreenTerminal.run(
            command, columns: 80, rows: 24, steps: [.press(key, after: "  record ")], environment: ["TZ": "Asia/Tokyo"])
        #expect(result.status == 0 && result.unknown.isEmpty && result.isRestored, "\(result)")
        let view = try #require(result.pictures.first)
        #expect(view.isSecondScreen && !view.isCursorVisible && !view.breaksLines)
        #expect(view.lines.count == 24 && view.lines.allSatisfy { $0.count <= 80 })
        let titles = ["state", "tracking", "fix", "place", "speed", "odometer", "trip", "receiver", "queue"]
        for title in titles { #expect(view.lines.contains { $0.hasPrefix("\(title) ") }, "\(view.text)") }
        #expect(view.lines.first?.hasSuffix(" +09:00") == true, "\(view.text)")
        #expect(view.text.contains("queue      home "), "\(view.text)")
        let end = try #require(result.pictures.last)
        #expect(!end.isSecondScreen && end.isCursorVisible && end.breaksLines)
        #expect(daemon.endInTime() == 0)
    }

    @Test("The view shows that the position is private, and no longer shows the place.")
    func privacy() throws {
        let daemon = try vehicle.start(speed: 1)
        #expect(eventually { daemon.logged.contains("Started; ") })
        #expect(try vehicle.run("private", "on").status == 0)
        let result = try ScreenTerminal.run(
            command, columns: 80, rows: 24, steps: [.press("q", after: "private  ")], environment: [:])
        #expect(result.status == 0 && result.isRestored, "\(result)")
        let view = try #require(result.pictures.first)
        #expect(view.lines.contains { $0.hasPrefix("private    by command") }, "\(view.text)")
        #expect(!view.lines.contains { $0.hasPrefix("place ") }, "\(view.text)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("The view follows the size of the terminal.")
    func resize() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        let result = try ScreenTerminal.run(
            command, columns: 120, rows: 40,
            steps: [
                .resize(columns: 40, rows: 10, after: "odometer"), .resize(columns: 60, rows: 30, after: "tracking"),
                .press("^C", after: "odometer"),
            ])
        #expect(result.status == 0 && result.isRestored && result.unknown.isEmpty)
        #expect(result.pictures.map(\.lines.count) == [40, 10, 30, 30])
        #expect(result.pictures[1].lines.allSatisfy { $0.count <= 40 })
        #expect(result.pictures[1].lines.first?.contains(":") == true)
        #expect(daemon.endInTime() == 0)
    }

    @Test("On a terminal that cannot move its cursor, `watch` prints lines instead of the view.")
    func dumb() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        let result = try ScreenTerminal.run(
            command, columns: 200, rows: 24, steps: [.press("^C", after: "status: ")], environment: ["TERM": "dumb"])
        #expect(result.unknown.isEmpty && result.pictures.first?.isSecondScreen == false)
        #expect(daemon.endInTime() == 0)
    }
}
