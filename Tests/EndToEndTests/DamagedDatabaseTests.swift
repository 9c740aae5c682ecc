import Foundation
import GRDB
import Peers
import Testing

@Suite("A database of more than 16 MiB with a damaged page")
struct DamagedDatabaseTests {
    private static let records: Int64 = 12_000
    private static let delivered: Int64 = 11_500
    private static let page = 512
    private let scratch: Scratch
    private let server: WebServer
    private var database: String { scratch.path + "/t.sqlite" }

    enum Damage: CaseIterable {
        case zeroed, bitFlipped

        func apply(to page: inout Data) {
            switch self {
            case .zeroed: page = Data(count: page.count)
            case .bitFlipped: page[page.startIndex + 4] ^= 0x40
            }
        }
    }

    /// Makes a database of more than 16 MiB with an odometer, in which all but the last 500 records are marked as delivered.
    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: archive, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0}
            """, to: "config.yaml")
        let daemon = try start("--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz")
        #expect(try Daemon.output(["odometer", "set", "123456"] + config).status == 0)
        #expect(try Daemon.output(["move"] + config).status == 0)
        #expect(eventually { daemon.logged.contains("Departed") })
        #expect(daemon.end() == 0)
        try grow()
    }

    private var config: [String] { ["--config", scratch.path + "/config.yaml"] }

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> Daemon {
        let daemon = try Daemon(
            ["run"] + arguments + config, log: URL(fileURLWithPath: scratch.path + "/log"), environment: environment)
        #expect(eventually { isListening(at: scratch.path + "/control.sock") })
        return daemon
    }

    private func grow() throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { database in
            let last = try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM record") ?? 0
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT :last + 1 UNION ALL SELECT i + 1 FROM n WHERE i < :records)
                    INSERT INTO record (sequence, uuid, kind, time_ms, delay_ms, flags, lat_e7, lon_e7, odometer_m, rest)
                    SELECT i, randomblob(16), 0, time_ms + i, 0, 7, 525200000, 134050000, i, '{' || printf('%1600s', '') || '}'
                    FROM n JOIN record ON sequence = :last
                    """, arguments: ["last": last, "records": Self.records])
            try database.execute(
                sql: "INSERT OR REPLACE INTO delivery (target, cursor) VALUES ('archive', ?)",
                arguments: [Self.delivered])
        }
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
        let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int
        #expect(size ?? 0 > 16 << 20)
    }

    /// Damages the page of an undelivered record; returns the records that the server must still get, and the records
    /// on the page.
    private func strike(_ damage: Damage) throws -> (expected: Set<String>, struck: Set<String>) {
        let (place, expected, struck) = try victim()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: UInt64(place))
        var page = try handle.read(upToCount: Self.page) ?? Data()
        damage.apply(to: &page)
        try handle.seek(toOffset: UInt64(place))
        try handle.write(contentsOf: page)
        try handle.close()
        return (expected, struck)
    }

    /// Chooses the page of an undelivered record; returns the page's offset in the file, the other undelivered records, and the
    /// records on the page.
    private func victim() throws -> (place: Int, expected: Set<String>, struck: Set<String>) {
        let queue = try DatabaseQueue(path: database)
        let (waiting, victim) = try queue.read { database in
            let sql = "SELECT uuid FROM record WHERE sequence > ? AND sequence <= ? ORDER BY sequence"
            let waiting = try Data.fetchAll(database, sql: sql, arguments: [Self.delivered, Self.records])
            return (waiting, waiting[250])
        }
        try queue.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
        let place = try #require(bytes.range(of: victim)).lowerBound / Self.page * Self.page
        let page = bytes.subdata(in: place..<place + Self.page)
        // The end of a record may be on another page, so the page may contain only a part of its UUID.
        let struck = Set(waiting.filter { page.range(of: $0.prefix(8)) != nil }.map(Self.text))
        return (place, Set(waiting.map(Self.text)).subtracting(struck), struck)
    }

    private static func text(_ bytes: Data) -> String {
        let digits = bytes.map { String(format: "%02x", $0) }.joined()
        let groups = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)].map { digits.dropFirst($0).prefix($1) }
        return groups.joined(separator: "-")
    }

    private var arrived: [String] {
        server.bodies.flatMap { body -> [String] in
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            let features = object?["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["uuid"] as? String }
        }
    }

    private func check(_ expected: Set<String>, _ struck: Set<String>, _ daemon: Daemon) throws {
        #expect(!struck.isEmpty && struck.count < 20)
        #expect(
            eventually { Set(arrived).isSuperset(of: expected) },
            "\(Set(expected).subtracting(arrived).count) of \(expected.count) missing: \(daemon.logged)")
        #expect(eventually { daemon.logged.contains("trackerd copied") })
        #expect(daemon.logged.contains("Recording continues in a new file. The damaged file remains as"))
        // Besides the expected records, the server gets only a few about the damage and about the next start.
        #expect(Set(arrived).subtracting(expected).subtracting(struck).count <= 8)
        let (text, _, status) = try Daemon.output(["status"] + config)
        #expect(status == 0 && text.contains("123.46 km"), "\(text)")
        let name = URL(fileURLWithPath: database).lastPathComponent + ".damaged-1"
        #expect(text.contains("database") && text.contains("the damaged file is \(name)."), "\(text)")
        #expect(daemon.end() == 0)
        let count = try DatabaseQueue(path: database).read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM record") }
        #expect(count ?? 0 >= Int(Self.records) - struck.count)
    }

    @Test(
        "Every record outside a damaged page of the database is delivered, and odometer and cursors are preserved.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"), arguments: Damage.allCases)
    func atStart(damage: Damage) throws {
        let (expected, struck) = try strike(damage)
        try server.start(denying: false)
        let daemon = try start("--board", "bare", "--gpsd", "127.0.0.1:\(freePort())")
        try check(expected, struck, daemon)

        let again = try start("--board", "bare", "--gpsd", "127.0.0.1:\(freePort())")
        #expect(again.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: database + ".damaged-2"))
    }

    @Test(
        "The tracker replaces a damaged database without a restart, and delivers every record outside the damage.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
    func whileRunning() throws {
        let gpsd = try ScriptedGpsd(standingAt: 41.6625, -91.5379)
        let daemon = try start("--board", "bare", "--gpsd", "127.0.0.1:\(gpsd.port)")
        #expect(eventually { daemon.logged.contains("archive: uploads are failing") })
        let (expected, struck) = try strike(.zeroed)
        try server.start(denying: false)
        // After the backlog, the server also gets two records about the damage, before `check` ends the program.
        #expect(eventually { server.bodies.joined().contains(#""change":"databaseSetAside""#) })
        #expect(
            eventually { server.bodies.joined().contains(#""change":"recordsMissing","reason":"copied records: "#) })
        try check(expected, struck, daemon)
    }

    @Test(
        "If the first sector is unreadable for a minute, the tracker replaces the file and preserves its contents.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"),
        .enabled(if: FaultyDisk.isAvailable, "not installed: cc"))
    func unreadable() throws {
        let (_, expected, struck) = try victim()
        let fault = try FaultyDisk(on: scratch.path)
        try fault.loseByte(at: 10, of: database)
        try server.start(denying: false)
        let daemon = try start(
            "--board", "bare", "--gpsd", "127.0.0.1:\(freePort())", environment: fault.environment)
        #expect(
            (1...3).contains { _ in eventually { daemon.logged.contains("Recording continues in a new file") } },
            "\(daemon.logged)")
        #expect(daemon.logged.contains("disk I/O error"))
        try check(expected, struck, daemon)
    }
}
