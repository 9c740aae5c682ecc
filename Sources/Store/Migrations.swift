import GRDB

/// The steps that bring a file of any age to the present schema; a step that was released is never changed.
enum Migrations {
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
                    -- Everything up to the cursor is delivered; `ahead` holds what was delivered beyond it.
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
        return migrator
    }
}
