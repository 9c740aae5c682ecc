import GRDB

/// A look at the database file that changes nothing, beside a daemon that may be writing.
package enum StoreInspection {
    /// Reads the whole file, and throws what SQLite finds wrong with it; a file that is not there yet is in order.
    package static func inspect(_ path: String) throws(StoreError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let verdict = try queue.read { database in
                guard try !Migrations.all.hasBeenSuperseded(database) else {
                    throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "made by a newer trackerd")
                }
                return try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            }
            guard verdict == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict ?? "quick_check says nothing")
            }
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }
}
