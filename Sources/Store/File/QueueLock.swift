import Glibc

/// Lets only one program write, because two would use the same number for two records. The system releases the lock
/// however the program ends.
package final class QueueLock {
    private let path: String
    private let besideDatabase: Int32
    private var onDatabase: (descriptor: Int32, file: FileNumber)?

    /// Locks two files: one beside the database, and the database itself, which may have other names (links) or a
    /// read-only folder.
    package init(path: String) throws(QueueLockError) {
        self.path = path
        besideDatabase = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard Self.lock(besideDatabase) else {
            close(besideDatabase)
            throw QueueLockError(path: path)
        }
        guard follow() else { throw QueueLockError(path: path) }
    }

    /// Call this after the file was created or replaced; false only if another program has locked it.
    @discardableResult
    func follow() -> Bool {
        guard let file = FileNumber(of: path), file != onDatabase?.file else { return true }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        // `close` also releases all SQLite locks of the program on the replaced file, even those of a thread that has not closed
        // this file yet. That does no harm, because no program continues to use the replaced file.
        if let onDatabase { close(onDatabase.descriptor) }
        onDatabase = (descriptor, file)
        return Self.lock(descriptor)
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    deinit {
        // The program must not close the descriptor of the database, because the system would then release SQLite's own locks on
        // the file (fcntl(2)).
        if let onDatabase { flock(onDatabase.descriptor, LOCK_UN) }
        if besideDatabase >= 0 { close(besideDatabase) }
    }
}

package struct QueueLockError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String

    package var description: String {
        "\(path): another trackerd writes to this queue. End it first, or give this one another `store.path`."
    }
}
