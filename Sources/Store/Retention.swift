import GRDB
import Quantities

/// How much of what was recorded stays on the device.
///
/// What all targets have goes first, the oldest in front; then what they have not, plain locations before events.
package struct Retention: Sendable, Hashable {
    /// What went, for the log.
    package struct Loss: Sendable, Hashable {
        /// Records that every target has got, or that none was to get.
        package var delivered = 0
        /// Records that some target will never get now.
        package var undelivered = 0

        /// Makes a count.
        package init(delivered: Int = 0, undelivered: Int = 0) {
            self.delivered = delivered
            self.undelivered = undelivered
        }
    }

    /// Records older than so many days go; 0: none does.
    package var days: Int
    /// At most so many records are kept; 0: any number.
    package var records: Int
    /// The names of the targets that records are owed to.
    package var targets: [String]

    /// Makes a rule; the default keeps everything.
    package init(days: Int = 0, records: Int = 0, targets: [String] = []) {
        self.days = days
        self.records = records
        self.targets = targets
    }

    /// So often at most somebody looks.
    static let interval = Duration.seconds(3600)
    /// So many records go at a time, which takes a second or two on a slow card.
    static let atATime = 10_000

    /// Removes what is too much; tells what went, and whether there may be more of it.
    func enforce(in database: GRDB.Database, at reading: ClockReading) throws -> (loss: Loss, isDone: Bool) {
        var sweep = Sweep(database: database, targets: targets, room: Self.atATime)
        // A clock that is not set, or that a few fixes have set wrongly, would make everything old.
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

    /// The last record that is too old: records follow each other in time, but for those of a clock that was wrong.
    private func expired(in database: GRDB.Database, at now: Timestamp) throws -> Int64? {
        let limit = now - .seconds(days * 86_400)
        let firstKept = try Int64.fetchOne(
            database, sql: "SELECT MIN(sequence) FROM record WHERE created_ms >= ? AND is_doubtful = 0",
            arguments: [limit.milliseconds])
        let last = try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM record WHERE is_doubtful = 0")
        return firstKept.map { $0 - 1 } ?? last
    }
}

/// One round of removing.
private struct Sweep {
    let database: GRDB.Database
    let targets: [String]
    /// How many more may go in this round.
    var room: Int
    var loss = Retention.Loss()

    mutating func remove(upTo last: Int64, atMost count: Int) throws {
        // Without targets nothing is owed to anybody.
        let owed = targets.map { _ in Self.isOwed }.joined(separator: " OR ")
        let settled = targets.isEmpty ? "1" : "(is_withheld = 1 OR NOT (\(owed)))"
        let delivered = try delete(
            settled, StatementArguments(targets.flatMap { [$0, $0] }), upTo: last, atMost: count)
        let points = try delete("kind = 'location'", upTo: last, atMost: count - delivered)
        let events = try delete("1", upTo: last, atMost: count - delivered - points)
        loss.delivered += delivered
        loss.undelivered += points + events
    }

    /// Whether the target has not got a record.
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
