//  Store: the one SQLite file in which records wait and the engine's state survives. Imports GRDB; knows no devices and
//  no servers. Start reading here; then `RecordQueue` (the loop's side) and `DeliveryTable` (the upload thread's side).

import GRDB

/// Opens the file.
enum Database {
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

    /// For the program that writes: write-ahead log, every commit on stable storage, schema brought up to date.
    static func open(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // FULL: a commit is on the card when it returns, also in write-ahead mode.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isNewer = try queue.read { try Migrations.all.hasBeenSuperseded($0) }
            guard !isNewer else { throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "made by a newer trackerd") }
            try Migrations.all.migrate(queue)
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }
}
