import GRDB
import Glibc

/// Copies a database that a daemon may be using, and replaces a database with a copy. A copy is marked by its
/// application ID (`Schema.copy`), so the first program that writes to it continues with a much higher sequence number:
/// the original may have used the next numbers, and servers may have received those records.
package enum DatabaseCopy {
    package struct Contents: Sendable, Hashable {
        package let records: Int
        package let lastSequence: Int64
    }

    package struct Restored: Sendable, Hashable {
        /// The new name of the former database; nil if there was none.
        package let aside: String?
        package let contents: Contents
    }

    /// The copy contains all commits from before the call; it gets its name only when it is complete and on stable
    /// storage.
    package static func make(of path: String, at copy: String) throws(StoreError) -> Contents {
        guard access(copy, F_OK) != 0 else {
            throw StoreError(
                path: copy, doing: .write, cause: "it exists", remedy: "Name another file, or remove this one first.")
        }
        let contents = try fill(copy + ".part", from: path)
        guard rename(copy + ".part", copy) == 0 else { throw failure(copy) }
        FileSystem.syncFolder(of: copy)
        return contents
    }

    /// The former database remains under another name; the caller must have locked the queue.
    package static func restore(_ copy: String, to path: String) throws(StoreError) -> Restored {
        try StoreInspection.inspect(copy)
        let fresh = path + ".restoring"
        let contents = try fill(fresh, from: copy)
        var aside: String?
        if access(path, F_OK) == 0 {
            let name = FileSystem.freeName(path + ".before-restore-")
            // The former file keeps its name until the new file takes over the name in one step. If a power cut came while no
            // file had this name, the sequence numbers would begin with 1 again. A file system without links needs two steps.
            guard link(path, name) == 0 || rename(path, name) == 0 else { throw failure(path) }
            // If the former log kept its name, SQLite would use it as the log of the new file.
            for suffix in ["-wal", "-shm"] { rename(path + suffix, name + suffix) }
            aside = name
        } else {
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        }
        guard rename(fresh, path) == 0 else { throw failure(path) }
        FileSystem.syncFolder(of: path)
        return Restored(aside: aside, contents: contents)
    }

    private static func fill(_ file: String, from path: String) throws(StoreError) -> Contents {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) }
        do {
            let source = try Database.openToRead(path)
            let queue = try DatabaseQueue(path: file)
            try source.backup(to: queue)
            let contents = try queue.writeWithoutTransaction { database in
                // The copy consists of one file, without a write-ahead log.
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.execute(sql: "PRAGMA application_id = \(Schema.copy)")
                let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
                guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
                return Contents(
                    records: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM record") ?? 0,
                    lastSequence: try StoredState.lastSequence(database))
            }
            try queue.close()
            return contents
        } catch let error as StoreError {
            throw error
        } catch {
            for suffix in ["", "-journal"] { unlink(file + suffix) }
            throw StoreError(error, path: file, doing: .write)
        }
    }

    private static func failure(_ path: String) -> StoreError {
        StoreError(FileSystem.error(.SQLITE_CANTOPEN), path: path, doing: .write)
    }
}
