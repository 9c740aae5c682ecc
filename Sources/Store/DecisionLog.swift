import GRDB
import Quantities
package import Tracking

/// What was decided and refused, on its way to the disk: it waits in memory for a commit that happens anyway.
///
/// The same said again within a minute is counted, not repeated. On disk it is a ring: the oldest rows go first.
package struct DecisionLog: Sendable {
    /// What a row is about besides the subjects of a decision.
    package enum Subject {
        /// A report of the receiver was not used.
        package static let refused = "refused"
        /// The vehicle is in another state from here on.
        package static let state = "state"
    }

    /// So many rows wait at most; then they are worth a commit of their own.
    package static let mostWaiting = 500
    /// So many rows are kept: some weeks of driving, in about 5 MB.
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

    private var rows: [Row] = []
    private static let minute = Duration.seconds(60)

    /// Whether so much waits that it should not wait any longer.
    var isFull: Bool { rows.count >= Self.mostWaiting }
    /// Whether a row was dated by a clock that was not set.
    var isDoubtful: Bool { rows.contains { !$0.isTrusted } }

    /// Notes a decision.
    package mutating func note(_ decision: Decision, at reading: ClockReading) {
        count(decision.subject.rawValue, decision.text, at: reading)
    }

    /// Notes that a report of the receiver was not used.
    package mutating func note(_ refusal: Refusal, at reading: ClockReading) {
        count(Subject.refused, refusal.rawValue, at: reading)
    }

    /// Notes a change of state.
    package mutating func note(isMoving: Bool, at reading: ClockReading) {
        add(Subject.state, Self.name(isMoving: isMoving), at: reading)
    }

    /// The name of a state, as rows have it.
    static func name(isMoving: Bool) -> String { isMoving ? "moving" : "stationary" }

    private mutating func count(_ subject: String, _ text: String, at reading: ClockReading) {
        let same = rows.lastIndex { $0.subject == subject && $0.text == text }
        guard let same, reading.now - rows[same].sinceBoot < Self.minute else {
            return add(subject, text, at: reading)
        }
        rows[same].count += 1
    }

    private mutating func add(_ subject: String, _ text: String, at reading: ClockReading) {
        // While nothing can be written, the newest ones are worth more.
        if rows.count >= 2 * Self.mostWaiting { rows.removeFirst() }
        rows.append(
            Row(
                boot: reading.boot, sinceBoot: reading.now, time: reading.time, isTrusted: reading.isTrusted,
                subject: subject, text: text))
    }

    mutating func mend(_ mend: Mend) {
        for index in rows.indices where !rows[index].isTrusted && rows[index].sinceBoot <= mend.before {
            rows[index].time = mend.bootDate + (rows[index].sinceBoot - .boot)
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
                row.boot, row.sinceBoot.milliseconds, row.time.milliseconds, row.isTrusted, row.subject, row.text,
                row.count,
            ])
        }
        try database.execute(
            sql: "DELETE FROM decision WHERE id <= (SELECT MAX(id) FROM decision) - ?", arguments: [Self.mostKept])
    }

    mutating func clear() { rows = [] }
}
