import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite(
    "Options that change while the program runs",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct RuntimeOptionTests {
    private let scratch: Scratch
    private let server: WebServer
    private let began = Date().timeIntervalSince1970

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try server.start(denying: false)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: home, url: "\(server.url)", format: geojson}]
            tracking: {profile: vehicle, desiredSyncInterval: 1h}
            """, to: "config.yaml")
        try scratch.write(#"{"desiredSyncInterval": 0, "stopTimeout": 77, "turnFilter": 33}"#, to: "fast.json")
    }

    @Test("A sync interval set by a command applies at once and after a restart, until the command is withdrawn.")
    func syncInterval() throws {
        var daemon = try start()
        #expect(eventually { !server.bodies.isEmpty })
        let early = try locate()
        #expect(try run("tracking", "start", "--options", scratch.path + "/fast.json").status == 0)
        #expect(eventually { received(early) })
        daemon.kill()
        daemon = try start()
        #expect(eventually { received(#":"started""#, times: 2) })
        let late = try locate()
        #expect(eventually { received(late) })
        let text = try run("tracking", "reset").text
        #expect(text == "The options of the configuration file apply.\n")
        let held = try locate()
        #expect(try waiting() > 0)
        #expect(!received(held))
        #expect(daemon.end() == 0)
    }

    @Test("A limit for stored records that a command changes applies from the next record on.")
    func retention() throws {
        try scratch.write(#"{"maxRecordsToPersist": 2}"#, to: "few.json")
        let daemon = try start()
        for _ in 0..<8 { _ = try locate() }
        let early = try sequences()
        #expect(early.count >= 8)
        #expect(try run("tracking", "start", "--options", scratch.path + "/few.json").status == 0)
        // The daemon may still be removing records under the former limit. The first record after that removal applies
        // the new limit. Which two records remain depends on how many the server has received by then.
        var attempts = 0
        #expect(
            eventually {
                // After the drive, `locate` would wait for a fix until `fixTimeout`.
                attempts += 1
                _ = try? run("waypoint", "set", "Yard \(attempts)", "--at", "52.6,13.6")
                return (try? sequences()).map { Set($0).intersection(early).count <= 2 } ?? false
            }, "\((try? sequences()) ?? [])")
        #expect(daemon.end() == 0)
    }

    @Test("`config show` shows the options of the daemon, or the options of the file if no daemon answers.")
    func configShow() throws {
        let daemon = try start()
        #expect(try run("tracking", "start", "--options", scratch.path + "/fast.json").status == 0)
        #expect(try run("mode", "significant").status == 0)
        let lines = try run("config", "show").text.split(separator: "\n")
        #expect(lines.first == "# these options are in force in the daemon at \(scratch.path)/control.sock")
        #expect(lines.contains { $0.hasPrefix("stopTimeout: 77s ") && $0.hasSuffix("# tracking start, fast.json") })
        #expect(lines.contains { $0.hasPrefix("monitoring: significant ") && $0.contains("# mode significant: ") })
        let shown = try run("config", "show", "--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(shown.text.utf8)) as? [String: [String: Any]])
        #expect(object["stopTimeout"]?["value"] as? Double == 77)
        #expect(object["stopTimeout"]?["origin"] as? String == "custom")
        #expect(try run("config", "show", "--file").text.contains("desiredSyncInterval: 1h"))
        #expect(daemon.end() == 0)
        let (text, _, status) = try run("config", "show")
        #expect(status == 0)
        #expect(
            text.hasPrefix(
                "# no daemon answers at \(scratch.path)/control.sock; these are the options of \(scratch.path)/config.yaml\n"
            ))
        #expect(text.contains("desiredSyncInterval: 1h"))
    }

    @Test(
        "`tracking show` shows the given options and their overrides; `tracking reset` withdraws options and mode.")
    func trackingShow() throws {
        let daemon = try start(environment: ["TRACKERD_TURN_FILTER": "44"])
        #expect(try run("tracking", "start", "--options", scratch.path + "/fast.json").status == 0)
        #expect(try run("mode", "manual").status == 0)
        #expect(
            try run("tracking", "show").text.split(separator: "\n") == [
                "# tracking is on", "# options of fast.json", "# these options override the profile vehicle",
                "desiredSyncInterval: 0s", "stopTimeout: 77s",
                "turnFilter: 33  # overridden: 44 (TRACKERD_TURN_FILTER)",
            ])
        #expect(try run("tracking", "reset").status == 0)
        #expect(try run("tracking", "show").text == "# tracking is on\n")
        #expect(try run("mode").text == "move\n")
        #expect(try run("config", "show").text.contains("desiredSyncInterval: 1h"))
        #expect(daemon.end() == 0)
    }

    private func start(environment: [String: String] = [:]) throws -> Daemon {
        let starts = scratch.lines(of: "log").count { $0.contains("Started; ") }
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "10", "--began", "\(began)", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"), environment: environment)
        #expect(eventually { scratch.lines(of: "log").count { $0.contains("Started; ") } > starts })
        return daemon
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    /// Requests a location; returns the UUID of its record.
    private func locate() throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(try run("locate", "--json").text.utf8))
        let record = (object as? [String: Any])?["record"] as? [String: Any]
        return try #require(record?["uuid"] as? String)
    }

    private func received(_ text: String, times: Int = 1) -> Bool {
        server.bodies.joined().components(separatedBy: text).count > times
    }

    private func waiting() throws -> Int {
        let object = try JSONSerialization.jsonObject(with: Data(try run("status", "--json").text.utf8))
        let queue = (object as? [String: Any])?["queue"] as? [String: Any]
        return (queue?["targets"] as? [[String: Any]])?.first?["waiting"] as? Int ?? 0
    }

    private func sequences() throws -> [Int64] {
        try DeliveryTable(path: scratch.path + "/t.sqlite").oldest(awaiting: "nobody", limit: 1000, excluding: [])
            .map(\.sequence)
    }
}
