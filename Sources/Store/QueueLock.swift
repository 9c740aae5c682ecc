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

    private let descriptor: Int32

    /// Takes the lock beside the database file at `path`; a folder that cannot be written to is told by the database itself.
    package init(path: String) throws(Taken) {
        descriptor = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o640)
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            throw Taken(path: path)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
