//  Records from before the time was known: how the queue dates, delays and corrects them.

import GRDB
package import Quantities
import Tracking

/// The readings of the computer's clocks at one moment.
package struct ClockReading: Sendable, Hashable {
    /// The boot from which `now` counts; each boot has a different text.
    package var boot: String
    /// The time since boot.
    package var now: Instant
    /// UTC, as far as the program knows it.
    package var time: Timestamp
    /// Whether `time` comes from GPS or from a time server.
    package var isTrusted: Bool
    /// Whether `time` is certain enough to delete old records by it; the times of a few fixes may be wrong by years.
    package var isConfirmed: Bool

    /// Makes a reading; `isConfirmed` defaults to `isTrusted`.
    package init(boot: String, now: Instant, time: Timestamp, isTrusted: Bool, isConfirmed: Bool? = nil) {
        self.boot = boot
        self.now = now
        self.time = time
        self.isTrusted = isTrusted
        self.isConfirmed = isConfirmed ?? isTrusted
    }

    /// The UTC time of the boot, computed from this reading.
    package var bootTime: Timestamp { time - (now - .boot) }
}

/// Corrects dates from a clock that was not set, once the UTC time of the boot is known.
///
/// The error of a row follows from the row itself, because each row contains its own boot time. The correction therefore does not
/// depend on which run of the program wrote the row, or on how often the clock was set before.
package struct ClockCorrection: Sendable, Hashable {
    /// The boot that has rows to correct.
    package let boot: String
    /// The time since boot from which rows have the right date.
    package let before: Instant
    /// The UTC time of the boot.
    package let bootTime: Timestamp

    /// Makes a correction.
    package init(boot: String, before: Instant, bootTime: Timestamp) {
        self.boot = boot
        self.before = before
        self.bootTime = bootTime
    }

    /// Returns the record as if the clock had been right when it was written; its UUID does not change.
    func applied(to stored: StoredRecord, sinceBoot: Instant) -> StoredRecord {
        let wrongBoot = stored.created - (sinceBoot - .boot)
        let span = bootTime - wrongBoot
        var record = stored.record
        if !record.isTimeTrusted {
            record.time = record.time + span
            record.isTimeTrusted = true
            let wrong = (wrongBoot - Self.tolerance)...max(wrongBoot, stored.created + Self.tolerance)
            record.content = Self.shifted(record.content) { wrong.contains($0) ? $0 + span : $0 }
        }
        return StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created + span, record: record)
    }

    /// Returns whether the file contains rows to correct.
    func isNeeded(in database: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM record WHERE is_doubtful = 1 AND boot = :boot)
                    OR EXISTS (SELECT 1 FROM decision WHERE is_trusted = 0 AND boot = :boot)
                """, arguments: ["boot": boot]) ?? false
    }

    /// Corrects the rows on disk and releases them to the targets; returns the number of records.
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
                UPDATE decision SET time_ms = :bootTime + since_boot_ms, is_trusted = 1
                WHERE is_trusted = 0 AND boot = :boot AND since_boot_ms <= :before
                """, arguments: arguments &+ ["bootTime": bootTime.milliseconds])
        return rows.count
    }

    private func rewrite(_ row: Row, in database: GRDB.Database, _ text: RecordText) throws {
        // If a row cannot be read, it is set aside when its delivery is due.
        guard let stored = text.stored(row) else { return }
        let sinceBoot: Int64 = row["since_boot_ms"]
        let corrected = applied(to: stored, sinceBoot: .boot + .milliseconds(sinceBoot))
        try database.execute(
            sql: """
                UPDATE record SET time_ms = ?, created_ms = ?, body = ?, is_doubtful = 0, is_held = 0
                WHERE sequence = ?
                """,
            arguments: [
                corrected.record.time.milliseconds, corrected.created.milliseconds, text.write(corrected.record),
                corrected.sequence,
            ])
    }

    /// Returns the content and shifts those dates that may come from the clock.
    private static func shifted(
        _ content: Tracking.Record.Content, _ shift: (Timestamp) -> Timestamp
    ) -> Tracking.Record.Content {
        switch content {
        case .visit(var visit):
            visit.arrived = shift(visit.arrived)
            visit.departed = visit.departed.map(shift)
            return .visit(visit)
        case .trip(var report):
            if let summary = report.summary {
                report.summary?.started = shift(summary.started)
                report.summary?.ended = shift(summary.ended)
            }
            return .trip(report)
        case .location, .motionchange, .transition, .waypoint, .request, .ping, .providerchange, .power,
            .health, .optionschange, .driving:
            return content
        }
    }

    /// How far the engine's boot time may differ from the system clock's boot time.
    private static let tolerance = Duration.seconds(1)
}

/// The records on disk that no target receives until their time is known, or until the wait has taken too long.
struct HeldRecords {
    /// The queue delays a record of unknown time until this time since boot; then it delivers the record, marked as untrusted.
    static let holdEnd = Instant.boot + .seconds(15 * 60)

    /// Whether there are any held records.
    private(set) var exist = false
    /// Whether some held records may come from an earlier boot; the time of that boot can never become known.
    private var mayBeOfEarlierBoot = false

    /// When `release` is due; nil if there are no held records.
    var deadline: Instant? { mayBeOfEarlierBoot ? .boot : exist ? Self.holdEnd : nil }

    func isReleaseDue(at now: Instant) -> Bool { mayBeOfEarlierBoot || exist && now >= Self.holdEnd }

    /// Notes that a file was opened, or that records were imported from a damaged file.
    mutating func found(_ exist: Bool) { (self.exist, mayBeOfEarlierBoot) = (exist, exist) }

    /// Notes that a commit has ended.
    mutating func committed(_ exist: Bool) { (self.exist, mayBeOfEarlierBoot) = (exist, false) }

    /// Releases the records that can no longer be corrected, or were delayed long enough; returns whether there were any.
    func release(at reading: ClockReading, in database: GRDB.Database) throws -> Bool {
        guard exist else { return false }
        try database.execute(
            sql: "UPDATE record SET is_held = 0 WHERE is_doubtful = 1 AND is_held = 1 AND (boot <> ? OR ?)",
            arguments: [reading.boot, reading.now >= Self.holdEnd])
        return database.changesCount > 0
    }

    static func exist(in database: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM record WHERE is_doubtful = 1 AND is_held = 1)")
            ?? false
    }
}

extension Instant {
    /// Whole milliseconds since boot, as the database stores them.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
