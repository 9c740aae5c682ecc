import GRDB
package import Quantities
import Tracking

package struct ClockReading: Sendable, Hashable {
    /// Each boot has a different text.
    package var boot: String
    package var now: Instant
    package var time: Timestamp
    /// True if the time comes from GPS or a time server.
    package var isTrusted: Bool
    /// True if the time is certain enough to delete old records by their age; a time from only a few fixes may be wrong by years.
    package var isConfirmed: Bool
    /// True if fixes agree with a time server, or with each other for an hour; a later correction is then unlikely.
    package var isCorroborated: Bool

    /// `isConfirmed` and `isCorroborated` default to `isTrusted`.
    package init(
        boot: String, now: Instant, time: Timestamp, isTrusted: Bool, isConfirmed: Bool? = nil,
        isCorroborated: Bool? = nil
    ) {
        self.boot = boot
        self.now = now
        self.time = time
        self.isTrusted = isTrusted
        self.isConfirmed = isConfirmed ?? isTrusted
        self.isCorroborated = isCorroborated ?? isTrusted
    }

    package var bootTime: Timestamp { time - (now - .boot) }
}

/// Why the queue may still correct the dates of a row.
enum DateDoubt: Int, Sendable {
    case none = 0
    /// The clock was not set.
    case untrusted = 1
    /// The clock was set, but its time was not corroborated and may be wrong.
    case uncorroborated = 2
}

/// Corrects dates from a clock that was not set or was wrong, once the UTC time of the boot is known. No date changes
/// after an offer to a target, so every copy of a record with the same UUID has the same bytes. Each row contains the
/// boot time that its clock implied, so neither the run that wrote it nor the number of corrections matters.
package struct ClockCorrection: Sendable, Hashable {
    package let boot: String
    /// When the clock was corrected; later rows have the right date.
    package let before: Instant
    package let bootTime: Timestamp
    /// True if another correction may follow.
    package let isProvisional: Bool

    package init(boot: String, before: Instant, bootTime: Timestamp, isProvisional: Bool = false) {
        self.boot = boot
        self.before = before
        self.bootTime = bootTime
        self.isProvisional = isProvisional
    }

    var remainingDoubt: DateDoubt { isProvisional ? .uncorroborated : .none }

    /// Returns the record as if the clock had been right when trackerd wrote it; the UUID does not change.
    func applied(to stored: StoredRecord, sinceBoot: Instant) -> StoredRecord {
        let wrongBoot = stored.created - (sinceBoot - .boot)
        let span = bootTime - wrongBoot
        var record = stored.record
        if !record.isTimeTrusted {
            record.time = record.time + span
            record.isTimeTrusted = true
            record.isTimeCounted = true
            let wrong = (wrongBoot - Self.tolerance)...max(wrongBoot, stored.created + Self.tolerance)
            record.content = Self.shifted(record.content) { wrong.contains($0) ? $0 + span : $0 }
        } else {
            // The queue does not correct a clock whose error is only drift and delays.
            guard span.magnitude > Self.drift else { return stored }
            if record.isTimeCounted == true {
                // A date that differs from the record's time may come from a fix.
                let counted = record.time
                record.time = counted + span
                record.content = Self.shifted(record.content) { $0 == counted ? $0 + span : $0 }
            }
        }
        return StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created + span, record: record)
    }

    func isNeeded(in database: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM record WHERE is_doubtful = 1 AND \(Boot.isOfIt) AND \(Self.isChangeable))
                    OR EXISTS (SELECT 1 FROM record WHERE is_doubtful = 2 AND \(Boot.isOfIt) AND \(Self.isChangeable))
                    OR EXISTS (SELECT 1 FROM decision WHERE is_trusted = 0 AND boot = :boot)
                """, arguments: ["boot": boot]) ?? false
    }

    /// Also releases the corrected rows to the targets; returns their number.
    func apply(in database: GRDB.Database) throws -> Int {
        let arguments: StatementArguments = ["boot": boot, "before": before.milliseconds]
        var count = 0
        for doubt in [DateDoubt.untrusted, .uncorroborated] {
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RecordTable.list) FROM record
                    WHERE is_doubtful = \(doubt.rawValue) AND \(Boot.isOfIt) AND since_boot_ms <= :before
                    AND \(Self.isChangeable)
                    """, arguments: arguments)
            for row in rows { try rewrite(row, in: database) }
            count += rows.count
        }
        try database.execute(
            sql: """
                UPDATE decision SET time_ms = :bootTime + since_boot_ms, is_trusted = 1
                WHERE is_trusted = 0 AND boot = :boot AND since_boot_ms <= :before
                """, arguments: arguments &+ ["bootTime": bootTime.milliseconds])
        return count
    }

    /// Returns the rows with wrong dates that no correction changes any more; nil if there are none.
    func sentTimes(in database: GRDB.Database) throws -> SentTimes? {
        var found: [SentTimes] = []
        for doubt in [DateDoubt.untrusted, .uncorroborated] {
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT MIN(sequence) AS first, MAX(sequence) AS last, COUNT(*) AS count,
                    created_ms - since_boot_ms AS boot_ms FROM record
                    WHERE is_doubtful = \(doubt.rawValue) AND \(Boot.isOfIt) AND since_boot_ms <= :before
                    AND is_held = \(HeldRecords.offered)
                    AND ABS(created_ms - since_boot_ms - :bootTime) >= \((doubt == .untrusted ? Self.tolerance : Self.drift) / .milliseconds(1))
                    """, arguments: ["boot": boot, "before": before.milliseconds, "bootTime": bootTime.milliseconds])
            guard let row, let first = row["first"] as Int64? else { continue }
            // SQLite takes `boot_ms` from the row with the minimum or the maximum; one clock dated both rows.
            let from = Timestamp(milliseconds: row["boot_ms"])
            found.append(SentTimes(first: first, last: row["last"], count: row["count"], from: from, to: bootTime))
        }
        guard var sent = found.max(by: { $0.last < $1.last }) else { return nil }
        sent.first = found.map(\.first).min() ?? sent.first
        sent.count = found.reduce(0) { $0 + $1.count }
        return sent
    }

    private func rewrite(_ row: Row, in database: GRDB.Database) throws {
        // If this version cannot read a row, `DeliveryTable` sets the row aside when the row is due for delivery.
        guard let former = RecordTable.values(row), let stored = former.stored else { return }
        var values = RecordValues(applied(to: stored, sinceBoot: .boot + .milliseconds(former.sinceBoot_ms)))
        (values.boot, values.sinceBoot_ms) = (former.boot, former.sinceBoot_ms)
        values.flags[RecordFlags.doubt] = Int64(remainingDoubt.rawValue)
        try RecordTable.update(values, in: database)
    }

    /// The condition that a row was not offered to any target yet.
    private static let isChangeable = "is_held <> \(HeldRecords.offered)"

    /// `shift` changes those dates in the content that may come from the clock.
    private static func shifted(
        _ content: Tracking.Record.Content, _ shift: (Timestamp) -> Timestamp
    ) -> Tracking.Record.Content {
        switch content {
        case .visit(var visit):
            visit.arrived = shift(visit.arrived)
            visit.departed = visit.departed.map(shift)
            return .visit(visit)
        case .trip(var report):
            report.summary.map { report.summary?.started = shift($0.started) }
            report.summary.map { report.summary?.ended = shift($0.ended) }
            return .trip(report)
        case .location, .motionchange, .transition, .waypoint, .request, .ping, .providerchange, .power, .health,
            .optionschange, .driving, .order:
            return content
        }
    }

    /// The largest difference between the engine's boot time and the system clock's.
    private static let tolerance = Duration.seconds(1)
    /// The queue does not correct a smaller error of a trusted clock; the estimate of UTC uses the same limit.
    private static let drift = Duration.seconds(10)
}

/// The queue delays these records until trackerd knows their time, or until `holdEnd`.
struct HeldRecords {
    /// For a row with a doubtful date that was offered to a target; 1 marks a delayed row, and 0 any other.
    static let offered = 2
    /// From then on the queue delivers records of unknown time, marked as untrusted.
    static let holdEnd = Instant.boot + .seconds(15 * 60)

    private(set) var exist = false
    /// The time of a record from an earlier boot can never become known.
    private var mayBeOfEarlierBoot = false

    /// When `release` is due; nil if there are no held records.
    var deadline: Instant? { mayBeOfEarlierBoot ? .boot : exist ? Self.holdEnd : nil }

    func isReleaseDue(at now: Instant) -> Bool { mayBeOfEarlierBoot || exist && now >= Self.holdEnd }

    /// Call this after the queue has opened the file, or a salvage has copied records into it.
    mutating func found(_ exist: Bool) { (self.exist, mayBeOfEarlierBoot) = (exist, exist) }

    mutating func committed(_ exist: Bool) { (self.exist, mayBeOfEarlierBoot) = (exist, false) }

    /// Releases the records that no correction can change any more; from `holdEnd` on, all. False if there were none.
    func release(at reading: ClockReading, in database: GRDB.Database) throws -> Bool {
        guard exist else { return false }
        try database.execute(
            sql: """
                UPDATE record SET flags = \(RecordFlags.held.sql(settingTo: 0))
                WHERE is_doubtful = 1 AND is_held = 1 AND (boot <> ? OR ?)
                """,
            arguments: [Boot.shortName(reading.boot), reading.now >= Self.holdEnd])
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
