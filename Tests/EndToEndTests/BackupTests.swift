import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("The backup and the restoration of the database")
struct BackupTests {
    private let scratch: Scratch
    private let server: WebServer
    private let began = Date().timeIntervalSince1970

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite", commitInterval: 0}
            control: {socket: "\(scratch.path)/c"}
            targets: [{name: home, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}
            """, to: "config.yaml")
    }

    /// The vehicle also drives while the program is not running.
    private func startDaemon() throws -> Daemon {
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        return try Daemon(
            [
                "run", "--board", "sim", "--drive", drive, "--speed", "60", "--began", "\(began)", "--config",
                scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
    }

    private func command(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    private var arrived: [(sequence: Int, uuid: String)] {
        server.bodies.flatMap { body -> [(Int, String)] in
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            return (object?["features"] as? [[String: Any]] ?? []).compactMap { feature in
                guard let properties = feature["properties"] as? [String: Any],
                    let sequence = properties["sequence"] as? Int, let uuid = properties["uuid"] as? String
                else { return nil }
                return (sequence, uuid)
            }
        }
    }

    private var storedCount: Int {
        let table = try? DeliveryTable(path: scratch.path + "/t.sqlite")
        return ((try? table?.oldest(awaiting: "nobody", limit: 100_000, excluding: [])) ?? []).count
    }

    @Test(
        "After an older backup is restored, the server gets each record, and no two records have the same number.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func restored() throws {
        try server.start()
        let first = try startDaemon()
        #expect(eventually { arrived.count > 10 })
        let backup = scratch.path + "/backup.sqlite"
        let made = try command("backup", backup)
        #expect(made.errors.isEmpty && made.status == 0)
        #expect(made.text.contains("backup.sqlite: "))
        let atBackup = arrived.count
        // The daemon continues, and the server receives records that the backup does not contain.
        #expect(eventually { arrived.count > atBackup + 10 })

        let refused = try command("restore", backup)
        #expect(refused.status == 1 && refused.errors.contains("another trackerd writes to this queue"))
        first.kill()
        let restored = try command("restore", backup)
        #expect(restored.errors.isEmpty && restored.status == 0)
        #expect(restored.text.contains("t.sqlite.before-restore-1"))
        let kept = storedCount

        let second = try startDaemon()
        #expect(eventually { storedCount > kept + 10 })
        #expect(second.end() == 0)
        let third = try startDaemon()
        let stored = try DeliveryTable(path: scratch.path + "/t.sqlite")
            .oldest(awaiting: "nobody", limit: 100_000, excluding: [])
        #expect(eventually { Set(arrived.map(\.uuid)).isSuperset(of: stored.map(\.uuid)) })
        #expect(third.end() == 0)
        let uuids = Dictionary(grouping: arrived, by: \.sequence).mapValues { Set($0.map(\.uuid)) }
        #expect(uuids.values.allSatisfy { $0.count == 1 })
        #expect(stored.map(\.sequence) == stored.map(\.sequence).sorted())
    }

    @Test(
        "If the files of a stopped daemon are copied to another card, recording continues with the next number.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func moved() throws {
        try server.start()
        let first = try startDaemon()
        #expect(eventually { storedCount > 10 })
        #expect(first.end() == 0)
        let count = storedCount
        let card = scratch.path + "/card"
        try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: scratch.path + "/t.sqlite" + suffix) {
            try FileManager.default.moveItem(
                atPath: scratch.path + "/t.sqlite" + suffix, toPath: card + "/t.sqlite" + suffix)
        }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: card + "/t.sqlite" + suffix) {
            try FileManager.default.copyItem(
                atPath: card + "/t.sqlite" + suffix, toPath: scratch.path + "/t.sqlite" + suffix)
        }
        let second = try startDaemon()
        #expect(eventually { storedCount > count + 5 })
        #expect(eventually { Set(arrived.map(\.sequence)).count > count + 5 })
        #expect(second.end() == 0)
        let stored = try DeliveryTable(path: scratch.path + "/t.sqlite")
            .oldest(awaiting: "nobody", limit: 100_000, excluding: [])
        #expect(stored.map(\.sequence) == Array(1...Int64(stored.count)))
    }
}
