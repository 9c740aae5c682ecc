import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "A database that reaches its limit during a long outage",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct FullDatabaseTests {
    private let scratch: Scratch
    private let server: WebServer

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
    }

    private func configure(_ bound: String) throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: home, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0, \(bound)}
            """, to: "config.yaml")
    }

    private func start(_ arguments: String...) throws -> Daemon {
        let daemon = try Daemon(
            ["run"] + arguments + ["--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { isListening(at: scratch.path + "/control.sock") })
        return daemon
    }

    private func ask(_ command: String...) throws -> String {
        try Daemon.output(command + ["--config", scratch.path + "/config.yaml"]).text
    }

    /// The kinds of the records at the server, by sequence number.
    private var arrived: [Int: String] {
        var kinds: [Int: String] = [:]
        for body in server.bodies {
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            for feature in object?["features"] as? [[String: Any]] ?? [] {
                let properties = feature["properties"] as? [String: Any]
                if let sequence = properties?["sequence"] as? Int { kinds[sequence] = properties?["kind"] as? String }
            }
        }
        return kinds
    }

    @Test(
        "The server gets each event, a thinned track, and a record of the loss; status and queue show what was removed."
    )
    func outage() throws {
        try configure("maxRecordsToPersist: 0")
        // Without a server, a drive of almost an hour and a half leaves a backlog.
        let drive = try start(
            "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz", "--speed",
            "400",
            "--exit-at-end")
        #expect(drive.wait() == 0)
        let table = try DeliveryTable(path: scratch.path + "/t.sqlite")
        let before = try table.oldest(awaiting: "home", limit: 10_000, excluding: [])
        let events = before.filter { $0.record.kind != .location }
        #expect(before.count > 4 * events.count && before.count > 200)
        let limit = events.count + 60
        try configure("maxRecordsToPersist: \(limit)")
        let end = try #require(before.compactMap(\.record.position?.coordinate).last)
        let gpsd = try ScriptedGpsd(standingAt: end.latitude, end.longitude)
        let daemon = try start("--board", "bare", "--gpsd", "127.0.0.1:\(gpsd.port)")
        #expect(eventually { daemon.logged.contains("because the queue exceeded its limits (locations") })
        let status = try ask("status", "--json")
        #expect(status.contains(#""removed":{"delivered":0,"#), "\(status)")
        let words = try ask("status")
        #expect(words.contains("\nremoved") && words.contains("undelivered (locations removed by"), "\(words)")
        let queue = try ask("queue")
        #expect(queue.contains("locations removed by thinning to 10 m") && queue.contains(" location"), "\(queue)")
        try server.start(denying: false)
        let numbers = Set(events.map { Int($0.sequence) })
        #expect(eventually { arrived.values.contains("health") && numbers.isSubset(of: Set(arrived.keys)) })
        #expect(eventually { (try? ask("queue").contains("home: 0 waiting")) == true })
        let places = arrived.filter { $0.key <= before.count && $0.value == "location" }
        #expect(places.count <= 60 && places.count >= 40, "\(places.count) locations of \(before.count) records")
        #expect(
            server.bodies.contains {
                $0.contains("recordsRemoved") && $0.contains("locations removed by thinning to 10 m")
            })
        #expect(daemon.end() == 0)
    }
}
