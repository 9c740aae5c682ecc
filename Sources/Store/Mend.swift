import GRDB
import Quantities
import Tracking

/// The clock was behind by `span` until `before`: what was written with it since boot is put right.
struct Mend: Sendable, Hashable {
    let boot: String
    let before: Instant
    let span: Duration

    /// The record, as if the clock had been right when it was written; its UUID stays what it is.
    func applied(to stored: StoredRecord, sinceBoot: Instant) -> StoredRecord {
        var record = stored.record
        if !record.isTimeTrusted {
            record.time = record.time + span
            record.isTimeTrusted = true
            record.content = mended(record.content, wrongSince: stored.created - (sinceBoot - .boot), stored.created)
        }
        return StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created + span, record: record)
    }

    /// Puts the rows on disk right, and lets targets have them; gives their number.
    func apply(in database: GRDB.Database, _ text: RecordText) throws -> Int {
        let arguments: StatementArguments = ["boot": boot, "before": before.milliseconds]
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT sequence, uuid, created_ms, since_boot_ms, body FROM record
                WHERE is_doubtful = 1 AND boot = :boot AND since_boot_ms <= :before
                """, arguments: arguments)
        for row in rows { try rewrite(row, in: database, text) }
        try database.execute(
            sql: """
                UPDATE decision SET time_ms = time_ms + :span, is_trusted = 1
                WHERE is_trusted = 0 AND boot = :boot AND since_boot_ms <= :before
                """, arguments: arguments &+ ["span": (Timestamp(milliseconds: 0) + span).milliseconds])
        return rows.count
    }

    private func rewrite(_ row: Row, in database: GRDB.Database, _ text: RecordText) throws {
        // What cannot be read is set aside when it is to be delivered.
        guard let stored = text.stored(row) else { return }
        let sinceBoot: Int64 = row["since_boot_ms"]
        let mended = applied(to: stored, sinceBoot: .boot + .milliseconds(sinceBoot))
        try database.execute(
            sql: """
                UPDATE record SET time_ms = ?, created_ms = ?, body = ?, is_doubtful = 0, is_held = 0
                WHERE sequence = ?
                """,
            arguments: [
                mended.record.time.milliseconds, mended.created.milliseconds, text.write(mended.record),
                mended.sequence,
            ])
    }

    /// The dates within a record that the wrong clock gave: those between its date of boot and that of writing.
    private func mended(
        _ content: Tracking.Record.Content, wrongSince boot: Timestamp, _ created: Timestamp
    ) -> Tracking.Record.Content {
        let wrong = (boot - Self.tolerance)...max(boot, created + Self.tolerance)
        func mend(_ time: Timestamp) -> Timestamp { wrong.contains(time) ? time + span : time }
        switch content {
        case .visit(var visit):
            visit.arrived = mend(visit.arrived)
            visit.departed = visit.departed.map(mend)
            return .visit(visit)
        case .trip(var report):
            if let summary = report.summary {
                report.summary?.started = mend(summary.started)
                report.summary?.ended = mend(summary.ended)
            }
            return .trip(report)
        case .location, .motionchange, .transition, .waypoint, .request, .ping, .providerchange, .power,
            .optionschange, .driving:
            return content
        }
    }

    /// What the engine's idea of the date of boot may differ from the system clock's.
    private static let tolerance = Duration.seconds(1)
}
