import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// Lets the threads of the program write to the database one after the other. The loop waits for a transaction of
/// another thread, which takes milliseconds, but at most `Database.patience_ms` for another program, which may keep its
/// lock for ever. The other threads wait for a program only while it is not their turn.
final class WriteTurn: Sendable {
    private let mutex = Mutex<Void>(())

    /// Throws after `Database.patience_ms` if another program has locked the file.
    func write(_ queue: DatabaseQueue, _ body: (GRDB.Database) throws -> Void) throws {
        try mutex.withLock { _ in try queue.write(body) }
    }

    /// Waits up to a second for another program, and lets other threads write meanwhile. The wait ends once
    /// `isCancelled` is true.
    func writePatiently(
        _ queue: DatabaseQueue, unless isCancelled: () -> Bool = { false }, _ body: (GRDB.Database) throws -> Void
    ) throws {
        for _ in 1..<Self.mostAttempts {
            if isCancelled() { break }
            do {
                return try writeAtOnce(queue, body)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                usleep(Self.pause_us)
            }
        }
        try writeAtOnce(queue, body)
    }

    private func writeAtOnce(_ queue: DatabaseQueue, _ body: (GRDB.Database) throws -> Void) throws {
        try mutex.withLock { _ in
            queue.inDatabase { _ = sqlite3_busy_timeout($0.sqliteConnection, 0) }
            defer { queue.inDatabase { _ = sqlite3_busy_timeout($0.sqliteConnection, CInt(Database.patience_ms)) } }
            try queue.write(body)
        }
    }

    /// Opens the file as `writePatiently` writes to it, because SQLite may write when it opens a file.
    func open(_ path: String, unless isCancelled: () -> Bool = { false }) throws(StoreError) -> DatabaseQueue {
        for _ in 1..<Self.mostAttempts {
            if isCancelled() { break }
            do throws(StoreError) {
                return try openAtOnce(path)
            } catch {
                guard error.isLocked else { throw error }
                usleep(Self.pause_us)
            }
        }
        return try openAtOnce(path)
    }

    /// Throws after `Database.patience_ms` if another program has locked the file.
    func openBriefly(_ path: String) throws(StoreError) -> DatabaseQueue {
        try mutex.withLock { _ throws(StoreError) in
            try Database.open(path, .unsynced, patience: Double(Database.patience_ms) / 1000)
        }
    }

    private func openAtOnce(_ path: String) throws(StoreError) -> DatabaseQueue {
        try mutex.withLock { _ throws(StoreError) in try Database.open(path, .unsynced, patience: 0) }
    }

    // The pauses take about a second together.
    private static let mostAttempts = 50
    private static let pause_us: UInt32 = 20_000
}
