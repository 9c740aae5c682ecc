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

    private let path: String
    private let besideDatabase: Int32
    private var onDatabase: (descriptor: Int32, file: FileNumber)?

    /// Locks a file beside the database at `path`, and the database file itself, which may have other names.
    ///
    /// The lock on the file itself holds also when the other one was removed, or the database is reached by a link. A folder
    /// that cannot be written to is reported by the database itself.
    package init(path: String) throws(Taken) {
        self.path = path
        besideDatabase = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard Self.lock(besideDatabase) else {
            close(besideDatabase)
            throw Taken(path: path)
        }
        guard follow() else { throw Taken(path: path) }
    }

    /// Locks the database file if it is there and another one than before: it was made or replaced since.
    ///
    /// Returns whether the lock was taken, or there is nothing to lock.
    @discardableResult
    func follow() -> Bool {
        guard let file = FileNumber(of: path), file != onDatabase?.file else { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        // SQLite no longer has the file that was replaced, so that nothing is lost with this descriptor of it.
        if let onDatabase { close(onDatabase.descriptor) }
        onDatabase = (descriptor, file)
        return Self.lock(descriptor)
    }

    /// Whether the lock was taken, or the file cannot be locked at all.
    private static func lock(_ descriptor: Int32) -> Bool {
        descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    deinit {
        // The database's descriptor stays open: closing it would release SQLite's own locks on the file (fcntl(2)).
        if let onDatabase { flock(onDatabase.descriptor, LOCK_UN) }
        if besideDatabase >= 0 { close(besideDatabase) }
    }
}
