import GRDB
import GRDBSQLite

package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case open = "cannot be opened"
        case write = "cannot be written"
        case read = "cannot be read"
    }

    package let path: String
    package let operation: Operation
    /// Usually SQLite's message.
    package let cause: String
    /// False if the disk is full or permissions are missing.
    package let isDamaged: Bool
    /// True if the disk could not read a part of the file. If this happens repeatedly, a sector is lost (`ReadFaults`).
    let isUnreadable: Bool
    /// True if a newer version, or another program, wrote the file.
    package let isOfAnotherVersion: Bool
    let isOfEarlierVersion: Bool
    /// True if another program has locked the file, usually only for a moment.
    package let isLocked: Bool
    private let remedy: String

    /// The checksum of a page does not match.
    private static let dataFault = ResultCode(rawValue: SQLITE_IOERR | 32 << 8)
    /// EIO and similar, or a damaged file system.
    private static let fileSystemFault = ResultCode(rawValue: SQLITE_IOERR | 33 << 8)

    init(_ error: any Error, path: String, doing operation: Operation) {
        self.path = path
        self.operation = operation
        let code = (error as? DatabaseError)?.resultCode
        // SQLite reports a short read only at the end of a file (os_unix.c, unixRead), so the file or its log was truncated.
        let isTruncated = (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        let message = (error as? DatabaseError).map { $0.message ?? "SQLite error \($0.resultCode.rawValue)" }
        let schema = error as? SchemaError
        cause = isTruncated ? "a part of the file is missing" : schema?.cause ?? message ?? "\(error)"
        isOfEarlierVersion = schema == .earlier
        isOfAnotherVersion = schema == .later || schema == .foreign
        // If the file lacks a table of the schema, it has lost the page that lists the table.
        let isTableMissing = code == .SQLITE_ERROR && cause.hasPrefix("no such table")
        // A wrong format number in the header (byte 44) means damage, because trackerd always writes the same number.
        let isHeaderDamaged = code == .SQLITE_ERROR && cause == "unsupported file format"
        isLocked = code == .SQLITE_BUSY || code == .SQLITE_LOCKED
        let unreadable: [ResultCode] = [.SQLITE_IOERR_READ, Self.dataFault, Self.fileSystemFault]
        isUnreadable = (error as? DatabaseError).map { unreadable.contains($0.extendedResultCode) } ?? false
        // All other errors come from GRDB, and mean that a value in the file has a wrong type.
        let isUndecodable = !(error is DatabaseError || error is StoreError || error is SchemaError)
        isDamaged =
            code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB || isTableMissing || isHeaderDamaged || isUndecodable
            || isTruncated
        remedy =
            switch code {
            case nil where schema != nil: schema?.remedy ?? ""
            case nil where isUndecodable: "The file is damaged."
            case .SQLITE_IOERR where isTruncated: "The file is damaged."
            case .SQLITE_FULL: "Free space on the disk."
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
                """
                Check that the folder exists, and that the user who runs trackerd has access to it (`store.path` in the \
                configuration). `sudo install -d -o trackerd FOLDER` creates a folder for the service.
                """
            case .SQLITE_BUSY: "Another program has locked the file. The daemon retries; run other commands again."
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: "The file is damaged."
            case .SQLITE_ABORT: "trackerd is writing a new file."
            default: "Check the disk. The daemon retries; run other commands again."
            }
    }

    init(path: String, doing operation: Operation, cause: String, remedy: String) {
        self.path = path
        self.operation = operation
        self.cause = cause
        self.remedy = remedy
        isLocked = false
        isDamaged = false
        isUnreadable = false
        isOfAnotherVersion = false
        isOfEarlierVersion = false
    }

    static func notOpen(_ path: String) -> StoreError {
        StoreError(
            DatabaseError(resultCode: .SQLITE_IOERR, message: "it is not open yet"), path: path, doing: .read)
    }

    static func underRepair(_ path: String) -> StoreError {
        StoreError(
            DatabaseError(resultCode: .SQLITE_ABORT, message: "the file is damaged"), path: path, doing: .write)
    }

    static func isGone(_ path: String) -> StoreError {
        StoreError(
            DatabaseError(resultCode: .SQLITE_ABORT, message: "the file was deleted or renamed"), path: path,
            doing: .write)
    }

    package var description: String { "\(path): \(operation.rawValue) (\(cause)). \(remedy)" }
}

extension DatabaseQueue {
    /// `path` appears in the error.
    func read<Value>(_ path: String, _ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        do { return try read(body) } catch { throw StoreError(error, path: path, doing: .read) }
    }
}

extension SchemaError {
    fileprivate var cause: String {
        switch self {
        case .earlier: "made by an earlier version of trackerd"
        case .later: "made by a newer version of trackerd"
        case .foreign: "it is not a database of trackerd"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .earlier: "The daemon keeps this file under another name, and records into a new one."
        case .later: "Install that version again, or set `store.path` to another file."
        case .foreign: "Set `store.path` to another file."
        }
    }
}
