import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("A database with another schema")
struct OtherSchemaTests {
    private let folder = TemporaryFolder()

    private func record(at second: Double) -> Tracking.Record {
        Tracking.Record(
            .ping, time: Timestamp(milliseconds: 1_767_225_600_000 + Int64(second * 1000)), isTimeTrusted: true,
            position: nil, isMoving: false, odometer: Metres(second), trip: nil)
    }

    private func fill() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in [1.0, 2] { _ = queue.append(record(at: second), state: EngineState(), at: .sample(at: second)) }
        _ = try queue.flush(at: .sample(at: 2))
        queue.close()
    }

    @Test("A file of an earlier version remains under another name with its log, and recording begins in a new file.")
    func earlier() throws {
        let other = try DatabaseQueue(path: folder.path + "/other")
        defer { try? other.close() }
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: Self.earlier)
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.path + "/other" + suffix, toPath: folder.database + suffix)
        }
        let queue = try RecordQueue(path: folder.database)
        let reports = try queue.tend(at: .sample()).reports
        guard case .begunAnew(let error, let aside)? = reports.first, reports.count == 1 else {
            Issue.record("\(reports)")
            return
        }
        #expect(error.description.contains("made by an earlier version of trackerd"))
        #expect(aside == folder.database + ".earlier-1")
        let kept = try DatabaseQueue(path: aside).read { try String.fetchAll($0, sql: "SELECT body FROM record") }
        #expect(kept == ["one", "two"])
        #expect(queue.append(record(at: 1), state: EngineState(), at: .sample(at: 1)).sequence == 1)
        _ = try queue.flush(at: .sample(at: 1))
        queue.close()
        #expect(try RecordQueue(path: folder.database).tend(at: .sample()).reports == [])
    }

    @Test("Commands that open a file of an earlier version report it, and do not change the file.")
    func reading() throws {
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: Self.earlier) }
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        for opening in Opening.allCases {
            let error = #expect(throws: StoreError.self) { try open(opening) }
            let text = "(made by an earlier version of trackerd). The daemon keeps this file under another name"
            #expect(error?.description.contains(text) == true)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
    }

    private enum Opening: CaseIterable { case history, progress, inspection, copy }

    private func open(_ opening: Opening) throws {
        switch opening {
        case .history: _ = try History(path: folder.database)
        case .progress: _ = try DeliveryProgress(path: folder.database)
        case .inspection: try StoreInspection.inspect(folder.database)
        case .copy: _ = try DatabaseCopy.make(of: folder.database, at: folder.path + "/copy")
        }
    }

    @Test("A file of a newer version is not opened.")
    func later() throws {
        try fill()
        try folder.execute("PRAGMA user_version = 2; ALTER TABLE record ADD COLUMN more TEXT")
        let error = #expect(throws: StoreError.self) { try RecordQueue(path: folder.database) }
        #expect(error?.isOfAnotherVersion == true)
        #expect(error?.description.contains("made by a newer version of trackerd") == true)
    }

    @Test("The database of another program is not changed.")
    func foreign() throws {
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
        let error = #expect(throws: StoreError.self) { try RecordQueue(path: folder.database) }
        #expect(error?.isOfAnotherVersion == true)
        #expect(error?.description.contains("it is not a database of trackerd") == true)
        let tables = try DatabaseQueue(path: folder.database).read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
        }
        #expect(tables == ["recipe"])
    }

    @Test(
        "A file whose header has lost its version is damaged: its records are recovered.",
        arguments: ["user_version = 3", "user_version = 0", "application_id = 0", "application_id = 9"])
    func header(change: String) throws {
        try fill()
        try folder.execute("PRAGMA \(change)")
        let queue = try RecordQueue(path: folder.database)
        let reports = try queue.tend(at: .sample()).reports
        guard case .replaced? = reports.first else {
            Issue.record("The file was not replaced.")
            return
        }
        try queue.tend(at: .sample(at: 3)) { (reports + $0).contains(where: \.isSalvage) }
        let found = try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 9, excluding: [])
        #expect(found.map(\.sequence) == [1, 2])
        queue.close()
    }

    private static let earlier = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE record (sequence INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL);
        INSERT INTO record (body) VALUES ('one'), ('two');
        """
}
