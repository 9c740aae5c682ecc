import GRDB
import Quantities
import Tracking

/// The date of boot has become known: what was dated by a clock that was not set is put right.
///
/// How far a row is wrong is told by the row: by its own date of boot. So it does not matter which run of the program, and
/// after how many settings of the clock, wrote it.
struct Mend: Sendable, Hashable {
    let boot: String
    /// What was written later was dated rightly.
    let before: Instant
    /// UTC of the boot.
    let bootDate: Timestamp

    /// The record, as if the clock had been right when it was written; its UUID stays what it is.
    func applied(to stored: StoredRecord, sinceBoot: Instant) -> StoredRecord {
        let wrongBoot = stored.created - (sinceBoot - .boot)
        let span = bootDate - wrongBoot
        var record = stored.record
        if !record.isTimeTrusted {
            record.time = record.time + span
            record.isTimeTrusted = true
            let wrong = (wrongBoot - Self.tolerance)...max(wrongBoot, stored.created + Self.tolerance)
            record.content = Self.moved(record.content) { wrong.contains($0) ? $0 + span : $0 }
        }
        return StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created + span, record: record)
    }

    /// Whether the file holds anything to put right.
    func isNeeded(in database: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM record WHERE is_doubtful = 1 AND boot = :boot)
                    OR EXISTS (SELECT 1 FROM decision WHERE is_trusted = 0 AND boot = :boot)
                """, arguments: ["boot": boot]) ?? false
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
                UPDATE decision SET time_ms = :bootDate + since_boot_ms, is_trusted = 1
                WHERE is_trusted = 0 AND boot = :boot AND since_boot_ms <= :before
                """, arguments: arguments &+ ["bootDate": bootDate.milliseconds])
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

    /// The content with the dates in it moved that the clock may have given.
    private static func moved(
        _ content: Tracking.Record.Content, _ move: (Timestamp) -> Timestamp
    ) -> Tracking.Record.Content {
        switch content {
        case .visit(var visit):
            visit.arrived = move(visit.arrived)
            visit.departed = visit.departed.map(move)
            return .visit(visit)
        case .trip(var report):
            if let summary = report.summary {
                report.summary?.started = move(summary.started)
                report.summary?.ended = move(summary.ended)
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
