import GRDB
import Quantities

/// The limits for the records on the device.
///
/// Records that all targets have received are deleted first, the oldest before newer ones. Undelivered records follow, plain
/// locations before events.
package struct Retention: Sendable, Hashable {
    /// Deleted records, for the log.
    package struct Loss: Sendable, Hashable {
        /// Records that every target has received, or that no target should receive.
        package var delivered = 0
        /// Records that at least one target will never receive.
        package var undelivered = 0

        /// Makes a count.
        package init(delivered: Int = 0, undelivered: Int = 0) {
            self.delivered = delivered
            self.undelivered = undelivered
        }
    }

    /// The age in days at which records are deleted; 0 for no limit.
    package var days: Int
    /// The maximum number of records; 0 for no limit.
    package var records: Int
    /// The names of the targets that receive the records.
    package var targets: [String]

    /// Makes limits; the defaults delete nothing.
    package init(days: Int = 0, records: Int = 0, targets: [String] = []) {
        self.days = days
        self.records = records
        self.targets = targets
    }

    /// The maximum number of records deleted in one commit; this takes a second or two on a slow card.
    private static let mostPerCommit = 10_000

    /// Deletes records beyond the limits; `isDone` is false if more records may remain to be deleted.
    func enforce(in database: GRDB.Database, at reading: ClockReading) throws -> (loss: Loss, isDone: Bool) {
        var sweep = Sweep(database: database, targets: targets, room: Self.mostPerCommit)
        // If the clock is not set, or if a few wrong fixes have set it, all records would seem too old.
        if days > 0, reading.isConfirmed, let last = try expired(in: database, at: reading.time) {
            try sweep.remove(upTo: last, atMost: .max)
        }
        if records > 0 {
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM record") ?? 0
            try sweep.remove(upTo: .max, atMost: count - records)
        }
        if sweep.loss != Loss() {
            let isGone = "sequence < (SELECT COALESCE(MIN(sequence), 0) FROM record)"
            try database.execute(sql: "DELETE FROM refused WHERE \(isGone)")
        }
        return (sweep.loss, sweep.room > 0)
    }

    /// Returns the last record that is too old.
    ///
    /// Records are in order of time, except records that a wrong clock dated.
    private func expired(in database: GRDB.Database, at now: Timestamp) throws -> Int64? {
        let limit = now - .seconds(days * 86_400)
        let firstKept = try Int64.fetchOne(
            database, sql: "SELECT MIN(sequence) FROM record WHERE created_ms >= ? AND is_doubtful <> 1",
            arguments: [limit.milliseconds])
        let last = try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM record WHERE is_doubtful <> 1")
        return firstKept.map { $0 - 1 } ?? last
    }
}

/// Enforces the limits at most hourly, together with another commit.
struct RetentionSchedule {
    var retention = Retention() {
        // Other bounds apply from the next commit on.
        didSet { if retention != oldValue { due = .boot } }
    }
    /// The records deleted since `takeLoss` was called last.
    private var loss: Retention.Loss?
    private var due = Instant.boot

    private static let interval = Duration.seconds(3600)

    /// Deletes records if a deletion is due; returns nil if it is not.
    func enforce(
        in database: GRDB.Database, at reading: ClockReading
    ) throws -> (loss: Retention.Loss, isDone: Bool)? {
        reading.now >= due ? try retention.enforce(in: database, at: reading) : nil
    }

    /// Notes that the commit has succeeded; if records remain to be deleted, the next commit continues.
    mutating func swept(_ new: Retention.Loss, isDone: Bool, at now: Instant) {
        if isDone { due = now + Self.interval }
        guard new != Retention.Loss() else { return }
        loss = Retention.Loss(
            delivered: (loss?.delivered ?? 0) + new.delivered, undelivered: (loss?.undelivered ?? 0) + new.undelivered)
    }

    mutating func takeLoss() -> Retention.Loss? {
        defer { loss = nil }
        return loss
    }
}

/// The deletions of one commit.
private struct Sweep {
    let database: GRDB.Database
    let targets: [String]
    /// The number of records that this commit may still delete.
    var room: Int
    var loss = Retention.Loss()

    mutating func remove(upTo last: Int64, atMost count: Int) throws {
        // Without targets every record counts as delivered.
        let owed = targets.map { _ in Self.isOwed }.joined(separator: " OR ")
        let settled = targets.isEmpty ? "1" : "(is_withheld = 1 OR NOT (\(owed)))"
        let delivered = try delete(
            settled, StatementArguments(targets.flatMap { [$0, $0] }), upTo: last, atMost: count)
        let points = try delete("kind = 'location'", upTo: last, atMost: count - delivered)
        let events = try delete("1", upTo: last, atMost: count - delivered - points)
        loss.delivered += delivered
        loss.undelivered += points + events
    }

    /// Whether the target has yet to receive the record.
    private static let isOwed = """
        sequence > COALESCE((SELECT cursor FROM delivery WHERE target = ?), 0)
        AND NOT EXISTS (SELECT 1 FROM ahead WHERE target = ? AND ahead.sequence = record.sequence)
        """

    private mutating func delete(
        _ condition: String, _ arguments: StatementArguments = [], upTo last: Int64, atMost count: Int
    ) throws -> Int {
        let count = min(count, room)
        guard count > 0 else { return 0 }
        try database.execute(
            sql: """
                DELETE FROM record WHERE sequence IN (
                    SELECT sequence FROM record WHERE sequence <= ? AND \(condition) ORDER BY sequence LIMIT ?
                )
                """, arguments: [last] + arguments + [count])
        room -= database.changesCount
        return database.changesCount
    }
}
