//  Store: the one SQLite file in which records wait and the engine's state survives. Imports GRDB; knows no devices and
//  no servers. Start reading here; then `RecordQueue` (the loop's side) and `DeliveryTable` (the upload thread's side).

import GRDB

/// Opens the file: write-ahead log, every commit on stable storage, schema brought up to date.
enum Database {
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
