import Glibc

/// Keeps a second program away from the queue: two writers would give the same number to two records.
///
/// The system lets go of the lock when the program ends, however it does.
package final class QueueLock {
    /// Another program has the queue.
    package struct Taken: Error, Sendable, Hashable, CustomStringConvertible {
        /// The file that is locked.
        package let path: String

        /// What happened, and what to do.
        package var description: String {
            "\(path): another trackerd writes to this queue. End it first, or give this one another `store.path`."
        }
    }

    private let besideDatabase: Int32
    private let onDatabase: Int32

    /// Locks a file beside the database at `path`, and the database file itself, which may have other names.
    ///
    /// The lock on the file itself holds also when the other one was removed, or the database is reached by a link. A folder
    /// that cannot be written to is reported by the database itself.
    package init(path: String) throws(Taken) {
        besideDatabase = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard Self.lock(besideDatabase) else {
            close(besideDatabase)
            throw Taken(path: path)
        }
        onDatabase = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
        guard Self.lock(onDatabase) else {
            if besideDatabase >= 0 { close(besideDatabase) }
            throw Taken(path: path)
        }
    }

    /// Whether the lock was taken, or the file cannot be locked at all.
    private static func lock(_ descriptor: Int32) -> Bool {
        descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    deinit {
        // The database's descriptor stays open: closing it would release SQLite's own locks on the file (fcntl(2)).
        if onDatabase >= 0 { flock(onDatabase, LOCK_UN) }
        if besideDatabase >= 0 { close(besideDatabase) }
    }
}
