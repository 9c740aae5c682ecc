import GRDB
import Synchronization

/// The migrations from all earlier schemas to the current schema; do not change a released migration.
enum Migrations {
    /// Lets only one thread migrate at a time.
    ///
    /// Otherwise two threads could begin the same step, and one of them would fail.
    private static let turn = Mutex<Void>(())

    /// Brings the file to the current schema.
    static func migrate(_ queue: DatabaseQueue) throws {
        try turn.withLock { _ in try all.migrate(queue) }
    }

    /// The step since which records have their present form.
    static let recordForm = "2: decisions, mending, withholding"

    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: records, engine, delivery") { database in
            try database.execute(
                sql: """
                    CREATE TABLE record (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        uuid TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        time_ms INTEGER NOT NULL,
                        created_ms INTEGER NOT NULL,
                        body TEXT NOT NULL
                    );
                    CREATE TABLE engine (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        state TEXT NOT NULL
                    );
                    -- All records up to the cursor are delivered; `ahead` contains those delivered beyond it.
                    CREATE TABLE delivery (
                        target TEXT PRIMARY KEY,
                        cursor INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE ahead (
                        target TEXT NOT NULL,
                        sequence INTEGER NOT NULL,
                        PRIMARY KEY (target, sequence)
                    ) WITHOUT ROWID;
                    CREATE TABLE refused (
                        target TEXT NOT NULL,
                        sequence INTEGER NOT NULL,
                        reason TEXT NOT NULL,
                        PRIMARY KEY (target, sequence)
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration(recordForm) { database in
            try database.execute(sql: secondStep)
        }
        migrator.registerMigration("3: sending again what was refused") { database in
            // trackerd sends a due record again, although the cursor has passed the record's number, or `ahead` contains it.
            try database.execute(sql: "ALTER TABLE refused ADD COLUMN is_due INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("4: salvage") { database in
            try database.execute(
                sql: """
                    -- The damaged files whose records trackerd still copies, each with the last copied record.
                    CREATE TABLE salvage (
                        path TEXT NOT NULL,
                        through INTEGER NOT NULL
                    );
                    """)
        }
        migrator.registerMigration("5: dates of a single source") { database in
            // is_doubtful = 2: the clock was set, but its time was not corroborated (`DateDoubt`). is_held = 2:
            // trackerd has offered the row to a target, and does not change it any more.
            try database.execute(sql: "CREATE INDEX record_uncorroborated ON record (boot) WHERE is_doubtful = 2")
        }
        migrator.registerMigration("6: index of trips") { database in
            // Without this index, `trackerd trips` would read the whole table.
            try database.execute(sql: "CREATE INDEX record_trip ON record (sequence) WHERE kind = 'trip'")
        }
        migrator.registerMigration("7: traffic") { database in
            try database.execute(
                sql: """
                    -- The bytes on the network that a target with a monthly budget has caused; months are of UTC.
                    CREATE TABLE traffic (
                        target TEXT NOT NULL,
                        month TEXT NOT NULL,
                        bytes INTEGER NOT NULL,
                        PRIMARY KEY (target, month)
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("8: fewer pages a commit") { database in try fewerPages(in: database) }
        migrator.registerMigration("9: what retention removed") { database in
            try database.execute(
                sql: """
                    -- The numbers of records that retention has removed: of all, and of those that a record has
                    -- reported.
                    CREATE TABLE removed (
                        row TEXT PRIMARY KEY,
                        delivered INTEGER NOT NULL DEFAULT 0,
                        thinned INTEGER NOT NULL DEFAULT 0,
                        locations INTEGER NOT NULL DEFAULT 0,
                        events INTEGER NOT NULL DEFAULT 0
                    ) WITHOUT ROWID;
                    INSERT INTO removed (row) VALUES ('total'), ('reported');
                    -- The track up to this record is thinned; thinning it again would add up the errors.
                    CREATE TABLE thinning (through INTEGER NOT NULL);
                    INSERT INTO thinning VALUES (0);
                    """)
        }
        migrator.registerMigration("10: orders") { database in
            try database.execute(
                sql: """
                    -- The orders of servers. A row without a body has been carried out, and remains so that the order is not carried
                    -- out again.
                    CREATE TABLE inbox (
                        key INTEGER PRIMARY KEY,
                        target TEXT NOT NULL,
                        id TEXT NOT NULL,
                        body TEXT,
                        expires_ms INTEGER,
                        UNIQUE (target, id)
                    );
                    """)
        }
        migrator.registerMigration("11: names of trips") { database in
            try database.execute(sql: "CREATE TABLE trip_name (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        }
        migrator.registerMigration("12: regions of servers") { database in
            try database.execute(
                sql: """
                    -- The regions that each target's server has sent last, as a list in JSON.
                    CREATE TABLE server_regions (target TEXT PRIMARY KEY, regions TEXT NOT NULL) WITHOUT ROWID;
                    """)
        }
        return migrator
    }

    /// Removes two indices and the AUTOINCREMENT of `record`, and adds the tables `progress` and `boot`.
    ///
    /// Each commit had to write to the indices and to `sqlite_sequence`, in which SQLite stores the last number of a
    /// table with AUTOINCREMENT. `progress` now stores this number. `boot` replaces the index `record_uncorroborated`.
    ///
    /// A query by time now reads the whole table; only commands, which run in a separate process, make such queries.
    private static func fewerPages(in database: GRDB.Database) throws {
        try database.execute(
            sql: """
                DROP INDEX IF EXISTS record_time;
                DROP INDEX IF EXISTS record_uncorroborated;
                -- The part of the state that differs from engine.state, whose checksum is `base`; and the highest number that any
                -- record has had.
                CREATE TABLE progress (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    last_sequence INTEGER NOT NULL,
                    base INTEGER NOT NULL,
                    change BLOB
                );
                -- The present boot of the computer, and the first record of it.
                CREATE TABLE boot (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    name TEXT NOT NULL,
                    first_sequence INTEGER NOT NULL
                );
                """)
        // Removing the word AUTOINCREMENT does not change the content of the table (sqlite.org/lang_altertable.html, "changes that
        // do not affect the on-disk content"). The alternative, a copy of the table, would need additional disk space of the same
        // size.
        try database.execute(sql: "PRAGMA writable_schema = ON")
        try database.execute(
            sql:
                "UPDATE sqlite_master SET sql = replace(sql, ' AUTOINCREMENT', '') WHERE type = 'table' AND name = 'record'"
        )
        let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
        try database.execute(sql: "PRAGMA schema_version = \(version + 1)")
        try database.execute(sql: "PRAGMA writable_schema = RESET")
    }

    private static let secondStep = """
        ALTER TABLE record ADD COLUMN boot TEXT NOT NULL DEFAULT '';
        ALTER TABLE record ADD COLUMN since_boot_ms INTEGER NOT NULL DEFAULT 0;
        -- Written before the clock was set, and may be corrected; held while a correction may still come.
        ALTER TABLE record ADD COLUMN is_doubtful INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE record ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE record ADD COLUMN is_withheld INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE record ADD COLUMN is_stop INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE record ADD COLUMN is_place INTEGER NOT NULL DEFAULT 0;
        -- A kind with fields of its own has become the content of a record.
        UPDATE record SET
            is_stop = kind = 'motionchange' AND COALESCE(json_extract(body, '$.isMoving') = 0, 0),
            is_place = json_extract(body, '$.position') IS NOT NULL,
            body = json_remove(json_insert(body, '$.content', json_object(kind, json('{}'))), '$.kind')
        WHERE json_valid(body);
        CREATE INDEX record_time ON record (time_ms);
        CREATE INDEX record_doubtful ON record (boot) WHERE is_doubtful = 1;
        -- trackerd deletes the oldest rows when there are too many. `count` is the number of occurrences within a
        -- minute.
        CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            boot TEXT NOT NULL,
            since_boot_ms INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            is_trusted INTEGER NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            count INTEGER NOT NULL
        );
        CREATE INDEX decision_doubtful ON decision (boot) WHERE is_trusted = 0;
        """
}
