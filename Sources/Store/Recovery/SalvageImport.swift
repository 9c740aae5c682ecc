import GRDB
import Glibc

/// Copies the records of a damaged file into its replacement, and continues after a power cut. No cursor advances
/// beyond `through` (`DeliveryTable`), so each target still receives all records that it lacks.
struct SalvageImport: Sendable {
    struct Task: Sendable, Hashable {
        let path: String
        /// All records up to this one have been copied.
        let through: Int64
    }

    enum Outcome: Sendable, Hashable {
        /// `missing` counts the numbers without a record, from the first record to the last number used; `deleted` has
        /// the paths of older files.
        case ended(records: Int, missing: Int, deleted: [String])
        case cancelled
        case failed(StoreError)
    }

    /// A transaction blocks other writers for about ten milliseconds.
    private static let recordsPerTransaction = 200

    let task: Task
    let path: String
    let turn: WriteTurn

    func run(_ isCancelled: () -> Bool) -> Outcome {
        do {
            let queue = try turn.open(path, unless: isCancelled)
            defer { Database.close(queue) }
            guard let images = PageImages(path: task.path) else {
                // The owner has removed the damaged file. Deliveries no longer wait for its records.
                try turn.writePatiently(queue, unless: isCancelled) { try end(in: $0) }
                return .ended(records: 0, missing: 0, deleted: [])
            }
            return try carryOver(images, into: queue, isCancelled)
        } catch {
            return .failed(StoreError(error, path: path, doing: .write))
        }
    }

    private func carryOver(
        _ images: borrowing PageImages, into queue: DatabaseQueue, _ isCancelled: () -> Bool
    ) throws -> Outcome {
        let found = Salvage(images, isCancelled: isCancelled)
        var places = found.records.drop { $0.sequence <= task.through }
        while !places.isEmpty, !isCancelled() {
            guard hasRoom else { throw DatabaseError(resultCode: .SQLITE_FULL, message: "the disk is nearly full") }
            let batch = places.prefix(Self.recordsPerTransaction)
            var rows: [StoredRow] = []
            for place in batch { if let row = Salvage.record(at: place, in: images) { rows.append(row) } }
            let last = batch.last?.sequence ?? task.through
            try turn.writePatiently(queue, unless: isCancelled) { database in
                try database.execute(
                    sql: "UPDATE salvage SET through = ? WHERE path = ?", arguments: [last, task.path])
                for row in rows { try RecordTable.insertIfMissing(row.recordValues, into: database) }
            }
            places = places.dropFirst(batch.count)
        }
        guard !isCancelled() else { return .cancelled }
        var counts = (records: 0, missing: 0)
        var needed: [String] = []
        try turn.writePatiently(queue, unless: isCancelled) { database in
            try end(in: database)
            counts = try Self.counts(of: found, in: database)
            needed = try String.fetchAll(database, sql: "SELECT path FROM salvage")
        }
        let deleted = DamagedFile.deleteOldest(of: path, except: needed)
        return .ended(records: counts.records, missing: counts.missing, deleted: deleted)
    }

    private var hasRoom: Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return true }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > Self.reserve_bytes
    }

    /// Enough for new records of weeks of driving.
    private static let reserve_bytes: UInt64 = 16 << 20

    /// Also lets trackerd send again what it could not read: a damaged file can make SQLite return a wrong row for an
    /// intact record, which the upload thread then sets aside.
    private func end(in database: GRDB.Database) throws {
        try database.execute(sql: "DELETE FROM salvage WHERE path = ?", arguments: [task.path])
        try database.execute(
            sql: """
                UPDATE refused SET is_due = 1
                WHERE is_due = 0 AND reason = ? AND sequence IN (SELECT sequence FROM record)
                """,
            arguments: [DeliveryTable.unreadableReason])
    }

    private static func counts(of found: Salvage, in database: GRDB.Database) throws -> (records: Int, missing: Int) {
        guard let first = found.records.first?.sequence, let last = found.records.last?.sequence else { return (0, 0) }
        let end = max(last, found.lastSequence)
        let count = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM record WHERE sequence BETWEEN ? AND ?", arguments: [first, end])
        return (count ?? 0, Int(end - first) + 1 - (count ?? 0))
    }
}
