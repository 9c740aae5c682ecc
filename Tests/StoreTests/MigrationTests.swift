import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("A database of the first version")
struct MigrationTests {
    private let folder = TemporaryFolder()

    @Test("Records of a first-version database are delivered.")
    func records() throws {
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: Self.first) }
        let table = try DeliveryTable(path: folder.database)
        let stored = try table.oldest(awaiting: "home", limit: 9, excluding: [])
        #expect(stored.map(\.sequence) == [2, 3])
        #expect(stored.map(\.record.kind) == [.location, .motionchange])
        #expect(stored.map(\.record.isStop) == [false, true])
        #expect(stored.map(\.record.odometer.value) == [12.5, 20])
        #expect(try table.newest(awaiting: "home")?.sequence == 3)
    }

    @Test("Records set aside in a first-version database can be sent again.")
    func setAside() throws {
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: Self.first) }
        let table = try SetAsideTable(path: folder.database)
        #expect(try table.entries(for: "work", limit: 9).map(\.sequence) == [2])
        #expect(try table.sendAgain([], to: "work") == 1)
        let again = try DeliveryTable(path: folder.database).oldest(awaiting: "work", limit: 9, excluding: [])
        #expect(again.map(\.sequence) == [2])
    }

    @Test(
        "An older database with the present form of records can be read, but a first-version database cannot."
    )
    func reading() throws {
        let queue = try DatabaseQueue(path: folder.database)
        try queue.write { database in try database.execute(sql: Self.first) }
        #expect(throws: StoreError.self) { try RecordScan(path: folder.database) }
        _ = try DeliveryTable(path: folder.database)
        try queue.write { database in
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier GLOB '[3-9]*'")
        }
        var found: [Int64] = []
        try RecordScan(path: folder.database).forEach(in: RecordSpan()) { found.append($0.sequence) }
        #expect(found == [1, 2, 3])
        #expect(try TripCatalogue(path: folder.database).trips().isEmpty)
        let span = Timestamp(milliseconds: 0)...Timestamp(year: 2100, month: 1, day: 1)
        let history = try HistoryReader(path: folder.database)
        #expect(try history.entries(of: span).entries.isEmpty && history.history(of: span).records.count == 3)
        #expect(try DeliveryProgress(path: folder.database).targets == ["home", "work"])
        let configured = try DeliveryProgress(path: folder.database, targets: ["new", "home"])
        #expect(configured.targets == ["new", "home"])
        try RecordScan(path: folder.database).forEach(in: RecordSpan()) { stored in
            let home: DeliveryProgress.State = stored.sequence == 1 ? .delivered : .waiting
            #expect(configured.states(of: stored) == [.waiting, home])
        }
    }

    /// A database of the first version: three readable records and an unreadable record.
    ///
    /// The target `home` has received the first record, and the target `work` the first and the third.
    static let first = #"""
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1: records, engine, delivery');
        CREATE TABLE record (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL, kind TEXT NOT NULL,
            time_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL, body TEXT NOT NULL
        );
        CREATE TABLE engine (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
        CREATE TABLE delivery (target TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE ahead (
            target TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (target, sequence)
        ) WITHOUT ROWID;
        CREATE TABLE refused (
            target TEXT NOT NULL, sequence INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (target, sequence)
        ) WITHOUT ROWID;
        INSERT INTO delivery VALUES ('home', 1);
        INSERT INTO delivery VALUES ('work', 3);
        INSERT INTO refused VALUES ('work', 2, 'status 400: no');
        INSERT INTO record VALUES
        (1, '019b7704-6400-7000-8000-000000000001', 'motionchange', 1767225600000, 1767225600000,
         '{"isMoving":true,"isTimeTrusted":true,"kind":"motionchange","odometer":0,"time":1767225600000,"trip":1}'),
        (2, '019b7704-6400-7000-8000-000000000002', 'location', 1767225601000, 1767225601000,
         '{"isMoving":true,"isTimeTrusted":true,"kind":"location","odometer":12.5,"position":{"coordinate":{"lat":52.3,"lon":4.9}},"time":1767225601000,"trip":1}'),
        (3, '019b7704-6400-7000-8000-000000000003', 'motionchange', 1767225602000, 1767225602000,
         '{"isMoving":false,"isTimeTrusted":true,"kind":"motionchange","odometer":20,"position":{"accuracy":5,"coordinate":{"lat":52.3,"lon":4.9}},"time":1767225602000,"trip":1}'),
        (4, '019b7704-6400-7000-8000-000000000004', 'location', 1767225603000, 1767225603000, 'torn');
        """#
}
