import GRDB
import GRDBSQLite

/// Checks the database file without changing it, even while a daemon is writing.
package enum StoreInspection {
    /// Throws an error for the first fault that SQLite finds, or if the file is missing.
    package static func inspect(_ path: String) throws(StoreError) {
        try inspect(path, isCancelled: { false })
    }

    /// SQLite may ask `isCancelled` only after seconds, because it does not ask while it reads a tree.
    static func inspect(_ path: String, isCancelled: () -> Bool) throws(StoreError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { Database.close(queue) }
            let verdict = try queue.read { database in
                _ = try Schema.isPresent(database)
                return try interruptible(database, isCancelled) {
                    try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
                }
            }
            guard verdict == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict ?? "quick_check returned no result")
            }
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }

    private static func interruptible<Value>(
        _ database: GRDB.Database, _ isCancelled: () -> Bool, _ body: () throws -> Value
    ) throws -> Value {
        try withoutActuallyEscaping(isCancelled) { isCancelled in
            let question = Question(isCancelled)
            sqlite3_progress_handler(
                database.sqliteConnection, 10_000,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isYes() ? 1 : 0
                }, Unmanaged.passUnretained(question).toOpaque())
            defer {
                sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
                question.isYes = { false }
            }
            return try withExtendedLifetime(question, body)
        }
    }

    private final class Question {
        var isYes: () -> Bool

        init(_ isYes: @escaping () -> Bool) { self.isYes = isYes }
    }
}
