import GRDB

/// The database could not do what it was asked to.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was attempted.
    package enum Operation: String, Sendable {
        case open = "cannot be opened"
        case write = "cannot be written"
        case read = "cannot be read"
    }

    /// The file.
    package let path: String
    /// What was attempted.
    package let operation: Operation
    /// What SQLite says.
    package let cause: String
    /// Whether the file itself is at fault, and not the disk or the permissions.
    package let isDamaged: Bool
    private let remedy: String

    init(_ error: any Error, path: String, doing operation: Operation) {
        self.path = path
        self.operation = operation
        let code = (error as? DatabaseError)?.resultCode
        cause = (error as? DatabaseError).map { $0.message ?? "SQLite error \($0.resultCode.rawValue)" } ?? "\(error)"
        isOfAnotherVersion = code == .SQLITE_SCHEMA
        // A table that the schema has and the file has not: the page that named it was lost.
        let isTableMissing = code == .SQLITE_ERROR && cause.hasPrefix("no such table")
        isDamaged = code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB || isTableMissing
        remedy =
            switch code {
            case .SQLITE_FULL: "Free space on the disk."
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
                """
                Check that the folder exists and that trackerd may write to it (`store.path` in the configuration; \
                `sudo install -d -o "$USER" FOLDER` makes one).
                """
            case .SQLITE_SCHEMA: "Install that version again, or name another file as `store.path`."
            case .SQLITE_BUSY: "Another program holds the file; trackerd tries again."
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: "The file is damaged."
            default: "Check the disk; trackerd tries again."
            }
    }

    /// The file is of another version of trackerd.
    package let isOfAnotherVersion: Bool

    /// The file has not been opened yet.
    static func away(_ path: String) -> StoreError {
        StoreError(
            DatabaseError(resultCode: .SQLITE_IOERR, message: "it is not open yet"), path: path, doing: .read)
    }

    /// One sentence on what happened, and one on what to do.
    package var description: String { "\(path): \(operation.rawValue) (\(cause)). \(remedy)" }
}
