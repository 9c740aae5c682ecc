import GRDB
import Glibc
import Synchronization

/// Lets the threads of the program write to the database one after the other.
///
/// The loop waits for a transaction of another thread, which takes milliseconds, so that a record is on disk before the
/// loop continues. The loop waits at most `Database.patience_ms` for another program, which may keep its lock forever.
final class WriteTurn: Sendable {
    private let mutex = Mutex<Void>(())

    /// Writes in one transaction; throws an error after `Database.patience_ms` if another program has locked the file.
    func write(_ queue: DatabaseQueue, _ body: (GRDB.Database) throws -> Void) throws {
        try mutex.withLock { _ in try queue.write(body) }
    }

    /// Writes in one transaction; waits up to a second for another program, and lets other threads write in the meantime.
    func writePatiently(_ queue: DatabaseQueue, _ body: (GRDB.Database) throws -> Void) throws {
        for _ in 0..<Self.attempts {
            do {
                return try write(queue, body)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                usleep(Self.pause_us)
            }
        }
        try write(queue, body)
    }

    /// Opens the file; waits up to a second for another program, and lets other threads write in the meantime.
    ///
    /// SQLite may write to the file when it opens the file.
    func open(_ path: String) throws(StoreError) -> DatabaseQueue {
        for _ in 0..<Self.attempts {
            do throws(StoreError) {
                return try openOnce(path)
            } catch {
                guard error.isLocked else { throw error }
                usleep(Self.pause_us)
            }
        }
        return try openOnce(path)
    }

    private func openOnce(_ path: String) throws(StoreError) -> DatabaseQueue {
        try mutex.withLock { _ throws(StoreError) in
            try Database.open(path, .unsynced, patience: Double(Database.patience_ms) / 1000)
        }
    }

    // Each attempt itself waits for `Database.patience_ms`, so the pauses take about half of the second.
    private static let attempts = 25
    private static let pause_us: UInt32 = 20_000
}
