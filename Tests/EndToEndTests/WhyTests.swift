import Foundation
import Peers
import Testing

@Suite("The `why` command")
struct WhyTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("device: van1\nstore: {path: \"\(scratch.path)/t.sqlite\"}\n", to: "config.yaml")
    }

    private var config: String { scratch.path + "/config.yaml" }
    private var database: String { scratch.path + "/t.sqlite" }

    /// Starts the program in a vehicle that drives the sample trip sixty times as fast; the replay begins at midnight on
    /// 2026-01-01.
    private func startDaemon() throws -> Daemon {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        return try Daemon(
            ["run", "--board", "sim", "--drive", drive, "--speed", "60", "--config", config],
            log: URL(fileURLWithPath: scratch.path + "/log"))
    }

    @Test("`why` shows decisions, records and the limits of the history while the daemon runs.")
    func running() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let (text, errors, status) = try Daemon.output([
            "why", "2026-01-01T00:00:00Z", "--config", config, "--span", "2h",
        ])
        #expect(errors.isEmpty && status == 0)
        #expect(text.contains(" start    "))
        #expect(text.contains(" state    moving\n"))
        #expect(text.contains(" stop     "))
        #expect(text.contains(" state    stationary\n"))
        #expect(text.contains("motionchange, departure"))
        #expect(text.contains("motionchange, arrival"))
        #expect(text.contains(" until "))

        let early = try Daemon.output(["why", "2025-12-01T00:00:00Z", "--config", config])
        #expect(early.text.hasPrefix("No history for "))
        #expect(early.text.contains("The history covers "))
        #expect(early.status == 1)
        #expect(daemon.end() == 0)
    }

    @Test("`why --json` works also after the daemon has ended.")
    func json() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(daemon.end() == 0)
        let (text, errors, status) = try Daemon.output([
            "why", "2026-01-01T00:00:00Z", "--database", database, "--span", "2h", "--json",
        ])
        #expect(errors.isEmpty && status == 0)
        let answer = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let decisions = try #require(answer["decisions"] as? [[String: Any]])
        let states = decisions.filter { $0["subject"] as? String == "state" }.map { $0["text"] as? String }
        #expect(states == ["moving", "stationary"])
        let records = try #require(answer["records"] as? [[String: Any]])
        // A new installation also records its first position, unless the vehicle departs before it has a fix.
        let changes = records.filter { $0["kind"] as? String == "motionchange" }.map { $0["moving"] as? Bool }
        #expect(changes.suffix(2) == [true, false])
        #expect(changes.dropLast(2).allSatisfy { $0 == false })
        #expect(records.count > 10)
        #expect((answer["known"] as? [String: String])?["from"]?.hasPrefix("2026-01-01T00:0") == true)
    }

    @Test(
        "`why` accepts a time in several forms.",
        arguments: ["-10m", "now", "14:05", "2026-11-01 14:05", "2026-11-01T14:05Z"])
    func times(time: String) throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Started") })
        #expect(daemon.end() == 0)
        let (text, errors, _) = try Daemon.output(["why", time, "--database", database])
        #expect(text.hasPrefix("No history"))
        #expect(errors.isEmpty)
    }

    @Test(
        "A wrong argument of `why` is an error with a remedy.",
        arguments: [
            (["soon"], "`soon` is not a time."), ([], "Write one time"), (["-10m", "now"], "Write one time"),
            (["now", "--span", "x"], "`x` is not a duration."),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let (_, errors, status) = try Daemon.output(["why"] + arguments + ["--database", database])
        #expect(errors.contains(message))
        #expect(status != 0)
    }

    @Test("`why` without a database is an error.")
    func missing() throws {
        let (_, errors, status) = try Daemon.output(["why", "now", "--database", scratch.path + "/none.sqlite"])
        #expect(errors.contains("none.sqlite: cannot be opened"))
        #expect(status != 0)
    }
}
