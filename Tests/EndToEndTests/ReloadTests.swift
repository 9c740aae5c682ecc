import Foundation
import Glibc
import Peers
import Store
import Testing
import Tracking

@Suite("A changed configuration", .enabled(if: WebServer.python != nil, "not installed: python3"))
struct ReloadTests {
    private let scratch: Scratch
    private let first: WebServer
    private let second: WebServer

    init() throws {
        scratch = try Scratch()
        (first, second) = (try WebServer(), try WebServer())
        try first.start(denying: false)
        try second.start(denying: false)
        try configure(targets: [target("first", first)], tracking: "distanceFilter: 50")
    }

    private func target(_ name: String, _ server: WebServer) -> String {
        "{name: \(name), url: \"\(server.url)\", format: geojson}"
    }

    private func configure(targets: [String], tracking: String, store: String = "t.sqlite", more: String = "") throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/\(store)"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [\(targets.joined(separator: ", "))]
            tracking: {desiredSyncInterval: 0, turnFilter: 0, stopTimeout: 60, \(tracking)}
            \(more)
            """, to: "config.yaml")
    }

    private func start() throws -> Daemon {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        let daemon = try Daemon(
            ["run", "--board", "sim", "--drive", drive, "--speed", "20", "--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { first.bodies.joined().contains(#""moving":true"#) }, "\(daemon.logged)")
        return daemon
    }

    private func run(_ words: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(words + ["--config", scratch.path + "/config.yaml"])
    }

    private var stored: [StoredRecord] {
        let table = try? DeliveryTable(path: scratch.path + "/t.sqlite")
        return (try? table?.oldest(awaiting: "nobody", limit: 100_000, excluding: [])) ?? []
    }

    private func has(_ server: WebServer, _ stored: [StoredRecord]) -> Bool {
        let text = server.bodies.joined()
        return stored.allSatisfy { text.contains($0.uuid) }
    }

    @Test("`config reload` adopts options, targets and regions in a running trip, and loses no record.")
    func adopts() throws {
        let daemon = try start()
        try configure(
            targets: [target("first", first), target("second", second)], tracking: "distanceFilter: 10",
            more: "regions: [{name: Everywhere, latitude: 0, longitude: 0, radius: 50}]")
        let (text, _, status) = try run("config", "reload")
        #expect(status == 0)
        #expect(
            text
                == "\(scratch.path)/config.yaml is in force, with 2 targets. Changed tracking options: distanceFilter.\n"
        )
        #expect(try run("config", "show").text.contains("distanceFilter: 10 "))
        #expect(try run("region", "list").text.contains("Everywhere"))
        #expect(eventually { daemon.logged.contains("Arrived") })
        #expect(eventually { has(first, stored) && has(second, stored) })
        #expect(daemon.end() == 0)
        let records = stored
        #expect(records.map(\.sequence) == (0..<Int64(records.count)).map { $0 + 1 })
        // There is one trip, and the program has started once.
        #expect(records.filter { $0.record.kind == .motionchange && $0.record.isMoving }.count == 1)
        #expect(daemon.logged.components(separatedBy: "Started;").count == 2)
    }

    @Test("A file with an error, or with a change that needs a restart, has no effect, and the reason names the line.")
    func refuses() throws {
        let daemon = try start()
        try configure(targets: [], tracking: "distanceFilter: 10, stopTimeuot: 5")
        let wrong = try run("config", "reload")
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains("\(scratch.path)/config.yaml:5: "))
        #expect(wrong.errors.contains("stopTimeout"))
        #expect(wrong.errors.contains("? The former configuration remains in force."), "\(wrong.errors)")
        try configure(targets: [], tracking: "distanceFilter: 10", store: "other.sqlite")
        let other = try run("config", "reload")
        #expect(other.status != 0)
        #expect(
            other.errors.contains("`store` has changed. The change takes effect only when trackerd starts."),
            "\(other.errors)")
        #expect(try run("config", "show").text.contains("distanceFilter: 50 "))
        let before = first.bodies.count
        #expect(eventually { first.bodies.count > before })
        #expect(daemon.end() == 0)
    }

    @Test("SIGHUP adopts the file too, and logs the result or the error.")
    func hangUp() throws {
        let daemon = try start()
        try configure(targets: [target("second", second)], tracking: "distanceFilter: 10")
        daemon.signal(SIGHUP)
        #expect(
            eventually {
                daemon.logged.contains("is in force, with 1 target. Changed tracking options: distanceFilter.")
            })
        #expect(eventually { second.bodies.joined().contains(#""moving":true"#) })
        try scratch.write("device: [\n", to: "config.yaml")
        daemon.signal(SIGHUP)
        #expect(eventually { daemon.logged.contains(". The former configuration remains in force.") })
        #expect(daemon.end() == 0)
    }
}
