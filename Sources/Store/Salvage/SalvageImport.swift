import GRDB
import Glibc

/// Carries the records of a damaged file over into the one that has replaced it, a few at a time.
///
/// It is begun anew after a power cut: the new file knows how far it was. Until all records up to a number are there, no
/// cursor passes it (`DeliveryTable`), so that each target still gets what it lacks.
struct SalvageImport: Sendable {
    /// A file to read.
    struct Task: Sendable, Hashable {
        let path: String
        /// The records up to this one have been carried over.
        let through: Int64
    }

    /// What came of it.
    enum Outcome: Sendable, Hashable {
        /// All that can be read has been carried over; `missing` numbers between them belong to no record that is left.
        case ended(records: Int, missing: Int)
        case cancelled
        case failed(StoreError)
    }

    /// So many records are one transaction: some ten milliseconds in which nobody else can write.
    private static let recordsAtATime = 200

    /// The damaged file.
    let task: Task
    /// The file that has replaced it.
    let path: String

    /// Works through the file; returns early when `isCancelled` says so.
    func run(_ isCancelled: () -> Bool) -> Outcome {
        do {
            let queue = try Database.open(path, .unsynced)
            guard let images = PageImages(path: task.path) else {
                // The owner has taken it away: nothing waits for it any more.
                try queue.write { try end(in: $0) }
                return .ended(records: 0, missing: 0)
            }
            return try carryOver(images, into: queue, isCancelled)
        } catch {
            return .failed(StoreError(error, path: path, doing: .write))
        }
    }

    private func carryOver(
        _ images: borrowing PageImages, into queue: DatabaseQueue, _ isCancelled: () -> Bool
    ) throws -> Outcome {
        let found = Salvage(images, roots: [:], isCancelled: isCancelled)
        var places = found.records.drop { $0.sequence <= task.through }
        while !places.isEmpty, !isCancelled() {
            guard hasRoom else { throw DatabaseError(resultCode: .SQLITE_FULL, message: "the disk is nearly full") }
            let batch = places.prefix(Self.recordsAtATime)
            var rows: [StoredRow] = []
            for place in batch { if let row = Salvage.record(at: place, in: images) { rows.append(row) } }
            let last = batch.last?.sequence ?? task.through
            try queue.write { database in
                try database.execute(
                    sql: "UPDATE salvage SET through = ? WHERE path = ?", arguments: [last, task.path])
                for row in rows { try Self.insert(row, into: database) }
            }
            places = places.dropFirst(batch.count)
        }
        guard !isCancelled() else { return .cancelled }
        return try queue.write { database in
            try end(in: database)
            return try Self.outcome(of: found, in: database)
        }
    }

    /// Whether the records that are carried over leave room for those that are to come.
    private var hasRoom: Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return true }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > Self.reserve_bytes
    }

    /// Weeks of driving.
    private static let reserve_bytes: UInt64 = 16 << 20

    private func end(in database: GRDB.Database) throws {
        try database.execute(sql: "DELETE FROM salvage WHERE path = ?", arguments: [task.path])
    }

    /// Counts what there is now, from the first record that was found to the last number that was given.
    private static func outcome(of found: Salvage, in database: GRDB.Database) throws -> Outcome {
        guard let first = found.records.first?.sequence, let last = found.records.last?.sequence else {
            return .ended(records: 0, missing: 0)
        }
        let end = max(last, found.lastSequence)
        let count = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM record WHERE sequence BETWEEN ? AND ?", arguments: [first, end])
        return .ended(records: count ?? 0, missing: Int(end - first) + 1 - (count ?? 0))
    }

    /// Inserts a record under its old number, unless it is there.
    private static func insert(_ row: StoredRow, into database: GRDB.Database) throws {
        // A row of before the second step of the schema has fewer columns; the others have their defaults.
        let names = columns.prefix(row.columns.count)
        let marks = repeatElement("?", count: names.count).joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO record (\(names.joined(separator: ", "))) VALUES (\(marks))")
        let values = [row.rowID.databaseValue] + row.columns.prefix(names.count).dropFirst().map(\.databaseValue)
        try statement.execute(arguments: StatementArguments(values))
    }

    /// The columns of the table `record`, in the order in which rows have them.
    private static let columns = [
        "sequence", "uuid", "kind", "time_ms", "created_ms", "body", "boot", "since_boot_ms", "is_doubtful", "is_held",
        "is_withheld", "is_stop", "is_place",
    ]
}
