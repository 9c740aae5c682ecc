import Foundation
import GRDB
import Glibc
import Peers
import Store
import Testing
import Tracking

@Suite("A database that disappears while the tracker runs")
struct LostFileTests {
    private let scratch: Scratch
    private let server: WebServer
    private let gpsd: ScriptedGpsd
    private var database: String { scratch.path + "/disk/t.sqlite" }
    private var config: [String] { ["--config", scratch.path + "/config.yaml"] }

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        gpsd = try ScriptedGpsd(standingAt: 52.374, 4.8897)
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: true)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/disk/t.sqlite", commitInterval: 0s}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: archive, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0}
            """, to: "config.yaml")
    }

    enum Loss: CaseIterable {
        case deleted, onlyFileDeleted, renamed, folderRemoved

        func happen(to database: String) throws {
            let files = FileManager.default
            let folder = URL(fileURLWithPath: database).deletingLastPathComponent().path
            switch self {
            case .deleted:
                for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: database + suffix) }
            case .onlyFileDeleted: try files.removeItem(atPath: database)
            case .renamed: rename(database, database + ".old")
            case .folderRemoved: try files.removeItem(atPath: folder)
            }
        }
    }

    private func start() throws -> Daemon {
        let daemon = try Daemon(
            ["run", "--board", "bare", "--gpsd", "127.0.0.1:\(gpsd.port)"] + config,
            log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { isListening(at: scratch.path + "/control.sock") })
        return daemon
    }

    /// The tracker's reply to `odometer`; empty while the tracker does not run.
    private var odometer: String { (try? Daemon.output(["odometer"] + config).text) ?? "" }

    private func stored() throws -> [String] { try records().map(\.uuid) }

    private func records() throws -> [StoredRecord] {
        try DeliveryTable(path: database).oldest(awaiting: "nobody", limit: 10_000, excluding: [])
    }

    private var arrived: [String] {
        server.bodies.flatMap { body -> [String] in
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            let features = object?["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["uuid"] as? String }
        }
    }

    @Test(
        "The tracker writes records, state and trip to a new file without a restart if its database disappears.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"), arguments: Loss.allCases)
    func restored(loss: Loss) throws {
        let daemon = try start()
        #expect(try Daemon.output(["odometer", "set", "123456"] + config).status == 0)
        #expect(try Daemon.output(["trip", "start", "--id", "order 7"] + config).status == 0)
        #expect(eventually { (try? stored().count) ?? 0 >= 2 })
        let before = try stored()

        try loss.happen(to: database)
        // The status request makes the loop run once, so the loop notices the loss.
        #expect(try Daemon.output(["status"] + config).status == 0)
        #expect(eventually { daemon.logged.contains("has written all data to a new file") }, "\(daemon.logged)")
        #expect(eventually { daemon.logged.contains("The queue is on disk again") }, "\(daemon.logged)")
        let (text, _, _) = try Daemon.output(["status"] + config)
        #expect(text.contains("123.46 km") && !text.contains("not on disk"), "\(text)")
        let after = try stored()
        #expect(Array(after.prefix(before.count)) == before, "\(daemon.logged)")
        #expect(try Daemon.output(["trip", "end"] + config).status == 0)

        // The new file contains all records, so a kill loses none.
        daemon.kill()
        let changes = try records().compactMap { stored in
            if case .health(let report) = stored.record.content { report.change } else { nil }
        }
        #expect(changes.contains(.storageFailing))
        #expect(
            try DatabaseQueue(path: database).read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        try server.start(denying: false)
        let again = try start()
        #expect(eventually { odometer.contains("123456") })
        let expected = try stored()
        #expect(eventually { Set(arrived).isSuperset(of: expected) })
        #expect(again.end() == 0)
    }

    @Test(
        "If another database replaces the file while the tracker runs, the server gets a record of this.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
    func exchanged() throws {
        try server.start(denying: false)
        let daemon = try start()
        let copy = scratch.path + "/copy.sqlite"
        #expect(try Daemon.output(["backup", copy] + config).status == 0)
        rename(copy, database)
        #expect(try Daemon.output(["status"] + config).status == 0)
        #expect(eventually { daemon.logged.contains("another file has replaced this file") }, "\(daemon.logged)")
        #expect(eventually { server.bodies.joined().contains(#""change":"databaseExchanged""#) }, "\(daemon.logged)")
        #expect(daemon.end() == 0)
    }

    @Test("A tracker whose database another program locks answers at once, and records everything afterwards.")
    func locked() throws {
        let daemon = try start()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(30)
        let other = try DatabaseQueue(path: database, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let began = ContinuousClock.now
        for metres in 1...10 {
            let (text, errors, status) = try Daemon.output(["odometer", "set", "\(metres)000"] + config)
            #expect(status == 0, "\(text)\(errors)")
        }
        // If the loop waited for the lock, the first request would wait for ever. `LoopTurnTests` measures the loop itself;
        // this time also contains the starts of ten programs.
        #expect(ContinuousClock.now - began < .seconds(120))
        let isNoticed = eventually { daemon.logged.contains("run other commands again. Recording continues in memory") }
        #expect(isNoticed, "\(daemon.logged)")
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(eventually { daemon.logged.contains("The queue is on disk again") }, "\(daemon.logged)")
        daemon.kill()
        let again = try start()
        #expect(eventually { odometer.contains("10000.0 m") })
        #expect(again.end() == 0)
    }
}
