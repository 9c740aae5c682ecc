//  Store: the SQLite file with the records that wait for delivery, the state of the engine, and the log of decisions. Imports GRDB,
//  but does not depend on devices or servers. Start reading with `RecordQueue` (the loop's side) and `DeliveryTable` (the upload
//  thread's side).

import GRDB
import GRDBSQLite

/// Opens the database file.
enum Database {
    /// The longest time that `open` waits for another writing program; after that the queue begins in memory.
    private static let openTimeout_s = 1.0
    /// The longest time that a commit waits for another program; an effect of a record should find the record on disk.
    private static let commitTimeout_ms = 5000

    /// Opens the file for reading, while another program may be writing; throws if the file has another version.
    static func openToRead(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isOfThisVersion = try queue.read { database in
                let isNewer = try Migrations.all.hasBeenSuperseded(database)
                let isOlder = try !Migrations.all.hasCompletedMigrations(database)
                return !isNewer && !isOlder
            }
            guard isOfThisVersion else {
                throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "made by another version of trackerd")
            }
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }

    /// How durable a commit is when it returns.
    enum Durability: String {
        /// The commit is on stable storage: for records.
        case synced = "FULL"
        /// The kernel has the commit: for work that can be repeated after a power cut, such as sending a record.
        case unsynced = "NORMAL"
    }

    /// Opens the file for writing, with a write-ahead log, and migrates its schema.
    ///
    /// Unless `keepingLog` is false, the log remains when the file is closed. SQLite deletes the log by its name. If the file was
    /// replaced, that name belongs to another file's log.
    static func open(
        _ path: String, _ durability: Durability, keepingLog: Bool = true
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(openTimeout_s)
        if durability == .synced { PageSize.convert(path) }
        configuration.prepareDatabase { database in
            // This has an effect on a new file only.
            try database.execute(sql: "PRAGMA page_size = \(PageSize.bytes)")
            if keepingLog {
                var isKept: CInt = 1
                sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
            }
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // This statement is not in `prepareDatabase`, because GRDB runs that first and then sets NORMAL together with the
            // write-ahead log.
            try queue.writeWithoutTransaction { database in
                // SQLite opens a file without write permission as read-only, and the file would remain read-only when the disk is
                // writable again.
                guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
                    throw DatabaseError(resultCode: .SQLITE_READONLY, message: "the file or its disk is read-only")
                }
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                try database.execute(sql: "PRAGMA wal_autocheckpoint = \(PageSize.checkpointedPages)")
                if durability == .synced {
                    try database.execute(sql: "PRAGMA busy_timeout = \(commitTimeout_ms)")
                }
            }
            let isNewer = try queue.read { try Migrations.all.hasBeenSuperseded($0) }
            guard !isNewer else { throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "made by a newer trackerd") }
            try Migrations.all.migrate(queue)
            if durability == .synced { try DatabaseCopy.claim(queue) }
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }
}
