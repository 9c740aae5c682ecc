import GRDB
import Quantities
package import Tracking

/// Decisions, rejected fixes and changes of state, written together with records; repetitions within a minute are
/// counted. The log on disk has a limited size, and trackerd deletes the oldest rows first.
package struct DecisionLog: Sendable {
    /// The subjects of rows that are not decisions.
    package enum Subject {
        package static let refused = "refused"
        package static let state = "state"
        /// Decisions about the receiver have this subject too.
        package static let receiver = Decision.Subject.receiver.rawValue
    }

    /// At this number of rows the queue commits them even if no record waits.
    package static let mostWaiting = 500
    /// The limit of rows: some weeks of driving, in about 5 MB.
    package static let mostKept = 50_000

    private struct Row: Sendable {
        let boot: String
        let sinceBoot: Instant
        var time: Timestamp
        var isTrusted: Bool
        let subject: String
        let text: String
        var count = 1
    }

    private static let mostOnPage = 8

    private var rows: [Row] = []
    private var receiver = ReceiverSwitches()
    private static let minute = Duration.seconds(60)

    var isFull: Bool { rows.count >= Self.mostWaiting }
    /// True if the next commit should also write the rows.
    var fillsPage: Bool { rows.count >= Self.mostOnPage }
    /// True if some rows have a time from a clock that was not set.
    var isDoubtful: Bool { rows.contains { !$0.isTrusted } }

    package mutating func note(_ decision: Decision, at reading: ClockReading) {
        count(decision.subject.rawValue, decision.text, at: reading)
    }

    package mutating func note(_ refusal: FixRejection, at reading: ClockReading) {
        count(Subject.refused, refusal.rawValue, at: reading)
    }

    package mutating func note(isMoving: Bool, at reading: ClockReading) {
        add(Subject.state, Self.name(isMoving: isMoving), at: reading)
        note(receiver.change(isMoving: isMoving), at: reading)
    }

    /// The state before the program's start; adds no row.
    package mutating func begin(isMoving: Bool) { _ = receiver.change(isMoving: isMoving) }

    /// Adds no row for a position check of a parked vehicle.
    package mutating func note(isReceiverOn: Bool, at reading: ClockReading) {
        note(receiver.change(isOn: isReceiverOn), at: reading)
    }

    private mutating func note(_ change: Bool?, at reading: ClockReading) {
        if let change { add(Subject.receiver, Self.name(isOn: change), at: reading) }
    }

    static func name(isMoving: Bool) -> String { isMoving ? "moving" : "stationary" }

    static func name(isOn: Bool) -> String { isOn ? "on" : "off" }

    private mutating func count(_ subject: String, _ text: String, at reading: ClockReading) {
        let same = rows.lastIndex { $0.subject == subject && $0.text == text }
        guard let same, reading.now - rows[same].sinceBoot < Self.minute else { return add(subject, text, at: reading) }
        rows[same].count += 1
    }

    private mutating func add(_ subject: String, _ text: String, at reading: ClockReading) {
        // While the disk is unavailable, the log drops the oldest rows, because the newest rows are more valuable.
        if rows.count >= 2 * Self.mostWaiting { rows.removeFirst() }
        rows.append(
            Row(
                boot: reading.boot, sinceBoot: reading.now, time: reading.time, isTrusted: reading.isTrusted,
                subject: subject, text: text))
    }

    mutating func correct(_ correction: ClockCorrection) {
        for index in rows.indices where !rows[index].isTrusted && rows[index].sinceBoot <= correction.before {
            rows[index].time = correction.bootTime + (rows[index].sinceBoot - .boot)
            rows[index].isTrusted = true
        }
    }

    func write(into database: GRDB.Database) throws {
        guard !rows.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO decision (boot, since_boot_ms, time_ms, is_trusted, subject, text, count)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for row in rows {
            try statement.execute(arguments: [
                row.isTrusted ? "" : row.boot, row.sinceBoot.milliseconds, row.time.milliseconds, row.isTrusted,
                row.subject, row.text,
                row.count,
            ])
        }
        try database.execute(
            sql: "DELETE FROM decision WHERE id <= (SELECT MAX(id) FROM decision) - ?", arguments: [Self.mostKept])
    }

    mutating func clear() { rows = [] }
}

/// Decides which switches of the receiver the log contains. Without an accelerometer, a parked vehicle has a position
/// check every 30 s, which would fill the log within days. While the vehicle is parked, the log therefore has only the
/// switching off after the drive.
struct ReceiverSwitches: Sendable, Hashable {
    private var isOn = false
    private var isMoving = false
    /// True if the last row about the receiver in the log states that it is on.
    private var isNotedOn = false

    /// Returns the receiver's state if the log must contain it now.
    mutating func change(isMoving: Bool) -> Bool? {
        self.isMoving = isMoving
        return noted()
    }

    mutating func change(isOn: Bool) -> Bool? {
        self.isOn = isOn
        return noted()
    }

    private mutating func noted() -> Bool? {
        guard isOn != isNotedOn, isMoving || !isOn else { return nil }
        isNotedOn = isOn
        return isOn
    }
}
