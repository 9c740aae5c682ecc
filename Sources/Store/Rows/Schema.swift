import GRDB
import Tracking

/// sqlite.org/fileformat2.html, section 1.3, describes the header of the file.
enum Schema {
    /// `trkd`, the application ID of a file.
    static let application = 0x7472_6b64
    /// `trkc`, that of a copy (`DatabaseCopy`) to which no program has written yet.
    static let copy = 0x7472_6b63
    static let version = 1

    /// False for an empty file; throws `SchemaError` for another schema. A file whose header contradicts its tables is
    /// damaged.
    static func isPresent(_ database: GRDB.Database) throws -> Bool {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        let texts = Dictionary(tables.map { ($0["name"] as String, $0["sql"] as String?) }) { $1 }
        if [Self.application, copy].contains(application), version == Self.version { return true }
        if texts.isEmpty, application == 0, version == 0 { return false }
        guard let record = texts["record"] else { throw SchemaError.foreign }
        guard record != Self.tables["record"] else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the header is damaged")
        }
        throw application == Self.application && version > Self.version ? SchemaError.later : SchemaError.earlier
    }

    static func create(in database: GRDB.Database) throws {
        for name in tables.keys.sorted() { try database.execute(sql: tables[name] ?? "") }
        for kind in Record.Kind.allCases {
            try database.execute(
                sql: "INSERT INTO kind VALUES (?, ?)", arguments: [RecordKinds.number(of: kind), kind.rawValue])
        }
        try database.execute(sql: RecordView.statement)
        try database.execute(
            sql: """
                CREATE INDEX record_doubtful ON record (boot) WHERE is_doubtful = 1;
                -- Without this index, `trackerd trips` would read the whole table.
                CREATE INDEX record_trip ON record (sequence) WHERE kind = \(RecordKinds.trip);
                CREATE INDEX decision_doubtful ON decision (boot) WHERE is_trusted = 0;
                INSERT INTO removed (row) VALUES ('total'), ('reported');
                INSERT INTO thinning VALUES (0);
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(version);
                """)
    }

    /// SQLite stores each text unchanged, so `isPresent` can compare it.
    private static let tables = Dictionary(
        uniqueKeysWithValues: statements.map { (String($0.split(separator: " ")[2]), $0) })

    private static let statements = [
        RecordTable.statement,
        // The words of `record.kind`.
        "CREATE TABLE kind (number INTEGER PRIMARY KEY, word TEXT NOT NULL)",
        // The components of the engine's state, as JSON.
        "CREATE TABLE state (component TEXT PRIMARY KEY, value TEXT NOT NULL)",
        // The highest number of any record, and the components that differ from their rows in `state`; `base` is the
        // checksum of these rows.
        """
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            last_sequence INTEGER NOT NULL,
            base INTEGER,
            components TEXT,
            change BLOB
        )
        """,
        // The present boot of the computer, and the first record of it.
        """
        CREATE TABLE boot (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            first_sequence INTEGER NOT NULL
        )
        """,
        // All records up to the cursor count as delivered; `ahead` contains those delivered beyond it.
        "CREATE TABLE delivery (target TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE ahead (
            target TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (target, sequence)
        ) WITHOUT ROWID
        """,
        // A due record is sent again, although the cursor or `ahead` contains it.
        """
        CREATE TABLE refused (
            target TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            reason TEXT NOT NULL,
            is_due INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (target, sequence)
        ) WITHOUT ROWID
        """,
        // `count` is the number of occurrences within a minute; the oldest rows go when there are too many.
        """
        CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            boot TEXT NOT NULL,
            since_boot_ms INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            is_trusted INTEGER NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            count INTEGER NOT NULL
        )
        """,
        // The damaged files whose records trackerd still copies, each with the last copied record.
        "CREATE TABLE salvage (path TEXT NOT NULL, through INTEGER NOT NULL)",
        // The bytes on the network that a target with a monthly budget has caused; months are of UTC.
        """
        CREATE TABLE traffic (
            target TEXT NOT NULL,
            month TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (target, month)
        ) WITHOUT ROWID
        """,
        // The numbers of removed records: of all, and of those that a record has reported.
        """
        CREATE TABLE removed (
            row TEXT PRIMARY KEY,
            delivered INTEGER NOT NULL DEFAULT 0,
            thinned INTEGER NOT NULL DEFAULT 0,
            locations INTEGER NOT NULL DEFAULT 0,
            events INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID
        """,
        // The track up to this record is thinned; thinning it again would add up the errors.
        "CREATE TABLE thinning (through INTEGER NOT NULL)",
        // The orders of servers; a row without a body was carried out, and remains so that this happens only once.
        """
        CREATE TABLE inbox (
            key INTEGER PRIMARY KEY,
            target TEXT NOT NULL,
            id TEXT NOT NULL,
            body TEXT,
            expires_ms INTEGER,
            UNIQUE (target, id)
        )
        """,
        "CREATE TABLE trip_name (number INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        // The regions that each target's server has sent last, as a list in JSON.
        "CREATE TABLE server_regions (target TEXT PRIMARY KEY, regions TEXT NOT NULL) WITHOUT ROWID",
    ]
}

/// The file is a database, but not one with this version's schema.
enum SchemaError: Error {
    case earlier, later
    /// Another program made the file, or it is empty.
    case foreign
}

/// A commit writes each changed page to the log; with 4096 bytes it would write eight times what a record and its state
/// need.
enum PageSize {
    /// The smallest page size of SQLite, and the size of a card's sector.
    static let bytes = 512
    /// The pages of the log (1 MB, about a thousand records) after which SQLite copies each changed page to the file
    /// once.
    static let checkpointedPages = 2000
}
