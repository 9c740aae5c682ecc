import GRDBSQLite
import Glibc

// Store: the SQLite file with the records, the state of the engine, and the log of decisions. This target imports GRDB, but does
// not depend on devices or servers. Start reading with `RecordQueue` (the loop's side) and `DeliveryTable` (the upload thread's
// side).

import GRDB
import GRDBSQLite

enum Database {
    /// If another program locks the file for longer than this at the start, the queue stores new records in memory at
    /// first.
    static let startPatience_s = 1.0
    /// The loop waits this long for another program. After that it keeps the records in memory, and tries again later.
    static let patience_ms = 20

    /// Works even while another program writes; each operation waits at most `patience` seconds for its locks.
    static func openToRead(
        _ path: String, patience: Double = 5
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patience)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            guard try queue.read(Schema.isPresent) else { throw SchemaError.foreign }
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }

    enum Durability: String {
        /// For records: a commit reaches stable storage.
        case synced = "FULL"
        /// For work that trackerd can repeat after a power cut, such as sending a record: a commit reaches the kernel.
        case unsynced = "NORMAL"
    }

    /// Opens the file for writing, with a write-ahead log, and makes the tables in an empty file. Only a synced
    /// connection creates a missing file, because the queue may be about to restore a deleted file there. With
    /// `keepingLog`, the log remains after the close. Otherwise SQLite deletes it by its name, which after a
    /// replacement belongs to the log of the new file.
    static func open(
        _ path: String, _ durability: Durability, keepingLog: Bool = true, patience: Double = startPatience_s
    ) throws(StoreError) -> DatabaseQueue {
        BoundedSleep.install()
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            // With this setting, SQLite reports a damaged page as soon as it reads the page.
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            // This setting affects only a new file.
            try database.execute(sql: "PRAGMA page_size = \(PageSize.bytes)")
            if keepingLog {
                var isKept: CInt = 1
                sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
            }
        }
        do {
            let queue = try DatabaseQueue(
                path: durability == .synced ? path : existing(path), configuration: configuration)
            var isOpen = false
            defer { if !isOpen { close(queue) } }
            // Set this here and not in `prepareDatabase`, because GRDB afterwards sets NORMAL together with the
            // write-ahead log.
            try queue.writeWithoutTransaction { database in
                // SQLite opens a file without write permission as read-only. The connection would remain read-only even after the
                // disk has become writable again.
                guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
                    throw DatabaseError(resultCode: .SQLITE_READONLY, message: "the file or its disk is read-only")
                }
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                try database.execute(sql: "PRAGMA wal_autocheckpoint = \(PageSize.checkpointedPages)")
            }
            if try !queue.read(Schema.isPresent) {
                try queue.write { if try !Schema.isPresent($0) { try Schema.create(in: $0) } }
            }
            if durability == .synced { try claimCopy(queue) }
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = \(patience_ms)") }
            isOpen = true
            return queue
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }

    /// Moves the next sequence number of a copy (`DatabaseCopy`) to a later range, and removes the mark of the copy.
    private static func claimCopy(_ queue: DatabaseQueue) throws {
        guard try queue.read({ try Int.fetchOne($0, sql: "PRAGMA application_id") }) == Schema.copy else { return }
        try queue.write { database in
            let last = try StoredState.lastSequence(database)
            let range = last / rangeSize + Int64.random(in: 1...mostRanges)
            try StoredState.write(lastSequence: range * rangeSize, into: database)
            try database.execute(sql: "PRAGMA application_id = \(Schema.application)")
        }
    }

    /// Three years with one record per second, day and night; nobody restores an older copy.
    private static let rangeSize: Int64 = 100_000_000
    /// A restored copy continues in one of this number of ranges, chosen at random, so two restorations of one copy
    /// most likely differ. Even after ten thousand restorations, JSON represents all numbers exactly (2^53).
    private static let mostRanges: Int64 = 1000

    /// An SQLite URI (sqlite.org/uri.html) that never creates the file; Debian's SQLite accepts URIs.
    private static func existing(_ path: String) -> String {
        let escapes: [Character: String] = ["%": "%25", "?": "%3f", "#": "%23"]
        return "file:" + path.map { escapes[$0] ?? String($0) }.joined() + "?mode=rw"
    }

    /// Keeps the closed object until the program ends: releasing its dispatch queue would start a worker that wakes the
    /// processor every second from then on. `emptyingLog` moves all commits into the file, because SQLite would
    /// apply a remaining log to any other file of this name. If that fails, for example because the disk is full, the
    /// log remains.
    static func close(_ queue: DatabaseQueue, emptyingLog: Bool = false) {
        if emptyingLog { _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
        try? queue.close()
        _ = Unmanaged.passRetained(queue)
    }
}

/// Limits how long SQLite sleeps inside one call, because the loop would wait with it. If SQLite cannot map the index
/// of the log, for example because the disk is full, it tries 100 times, with pauses of ten seconds in total
/// (`walTryBeginRead` in https://sqlite.org/src/file/src/wal.c), which no setting shortens. Such a pause is a multiple
/// of 39 µs. A pause of `busy_timeout` is a multiple of 1 ms, and is not limited.
enum BoundedSleep {
    /// The longest pause in µs between two attempts to read the log; 100 attempts take at most 10 ms.
    static let longest_us: CInt = 100

    static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
        guard let standard = sqlite3_vfs_find(nil) else { return false }
        // SQLite keeps the structure until the program ends.
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        files.initialize(to: standard.pointee)
        files.pointee.zName = UnsafePointer(strdup("trackerd"))
        files.pointee.xSleep = { _, pause_us in
            let bounded_us = pause_us % 1000 == 0 ? pause_us : min(pause_us, BoundedSleep.longest_us)
            usleep(UInt32(max(0, bounded_us)))
            return bounded_us
        }
        return sqlite3_vfs_register(files, 1) == SQLITE_OK
    }()
}
