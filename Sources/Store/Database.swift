//  Store: the one SQLite file in which records wait and the engine's state survives. Imports GRDB; knows no devices and
//  no servers. Start reading here; then `RecordQueue` (the loop's side) and `DeliveryTable` (the upload thread's side).

import GRDB
import GRDBSQLite

/// Opens the file.
enum Database {
    /// Seconds for which the opening waits for another program that writes: the queue begins in memory meanwhile.
    private static let patienceToOpen = 1.0
    /// Milliseconds for which a commit waits for one: what follows from a record should find it on disk.
    private static let patienceToWrite_ms = 5000

    /// For a program that only looks, beside the one that writes; a file of another version is not for it.
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

    /// What a commit waits for before it returns.
    enum Durability: String {
        /// Until it is on stable storage: for records.
        case synced = "FULL"
        /// Until the kernel has it: for what can be done again after a power cut, such as sending a record.
        case unsynced = "NORMAL"
    }

    /// For the program that writes: write-ahead log, schema brought up to date.
    ///
    /// The log stays when the file is closed, unless `keepingLog` is false. SQLite deletes it by its name, and after a file
    /// has been replaced that is the name of another file's log.
    static func open(
        _ path: String, _ durability: Durability, keepingLog: Bool = true
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(patienceToOpen)
        if keepingLog {
            configuration.prepareDatabase { database in
                var isKept: CInt = 1
                sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
            }
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // Not in `prepareDatabase`: GRDB runs that first, and then sets NORMAL along with the write-ahead log.
            try queue.writeWithoutTransaction { database in
                // SQLite opens a file that it may not write for reading, and would keep it so when the disk is back.
                guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
                    throw DatabaseError(resultCode: .SQLITE_READONLY, message: "the file or its disk is read-only")
                }
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                if durability == .synced {
                    try database.execute(sql: "PRAGMA busy_timeout = \(patienceToWrite_ms)")
                }
            }
            let isNewer = try queue.read { try Migrations.all.hasBeenSuperseded($0) }
            guard !isNewer else { throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "made by a newer trackerd") }
            try Migrations.all.migrate(queue)
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }
}
