import GRDB
package import Quantities
package import Tracking

package struct HistoryExcerpt: Sendable, Hashable {
    /// A decision, a rejected fix or a change of state.
    package struct Entry: Sendable, Hashable {
        /// The time of the first occurrence within a minute.
        package let time: Timestamp
        /// Whether the time comes from GPS or a time server, perhaps after a correction.
        package let isTimeTrusted: Bool
        /// The subject of a decision, or one of `DecisionLog.Subject`.
        package let subject: String
        /// The text of a decision, the reason of a rejection, or the name of a state.
        package let text: String
        /// The number of occurrences within a minute.
        package let count: Int
    }

    /// The state at the beginning of the span.
    package struct InitialState: Sendable, Hashable {
        package let isMoving: Bool
        package let since: Timestamp
    }

    /// From the first to the last trusted time in the database; a brief excerpt considers only the records, not the
    /// decisions.
    package let known: ClosedRange<Timestamp>?
    /// Nil if the state is unknown.
    package let initialState: InitialState?
    package let entries: [Entry]
    package let records: [StoredRecord]
    /// The number of locations that a brief excerpt leaves out after a record, by the record's number.
    package let leftOut: [Int64: Int]
}

extension HistoryExcerpt {
    init(of span: ClosedRange<Timestamp>, in database: GRDB.Database) throws {
        let (from, to) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
        let known = try Self.known(in: database)
        let initialState = try Self.state(
            "time_ms <= ? ORDER BY time_ms DESC, id DESC", [span.lowerBound.milliseconds], in: database)
        let records = try Row.fetchAll(
            database,
            sql: "SELECT \(RecordTable.list) FROM record WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, sequence",
            arguments: [from, to]
        ).compactMap(RecordTable.stored)
        self.init(
            known: known, initialState: initialState, entries: try Entry.all(of: span, in: database), records: records,
            leftOut: [:])
    }

    private static let mostFound = 1000
    /// Decoding this many records takes about 5 ms on a PC, and 20 ms on a Raspberry Pi.
    private static let mostDecoded = 300

    /// Reads an excerpt quickly enough for the daemon's loop.
    init(briefly span: ClosedRange<Timestamp>, in database: GRDB.Database) throws {
        let ids = try RowsByTime.decisions.range(of: span, in: database)
        let entries = try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM decision WHERE id >= ? AND id < ? AND time_ms BETWEEN ? AND ?
                ORDER BY time_ms, id LIMIT ?
                """,
            arguments: [
                ids.lowerBound, ids.upperBound, span.lowerBound.milliseconds, span.upperBound.milliseconds,
                Self.mostFound,
            ]
        ).map(Entry.init)
        let state = try Self.state(
            "time_ms <= ? AND id < ? ORDER BY id DESC", [span.lowerBound.milliseconds, ids.upperBound], in: database)
        let (records, leftOut) = try Self.series(of: span, in: database)
        self.init(
            known: try Self.knownEnds(in: database), initialState: state, entries: entries, records: records,
            leftOut: leftOut)
    }

    /// In order of time.
    private static func series(
        of span: ClosedRange<Timestamp>, in database: GRDB.Database
    ) throws -> (records: [StoredRecord], leftOut: [Int64: Int]) {
        let ends = try RowsByTime.records.range(of: span, in: database)
        var found: [(time: Int64, sequence: Int64, isLocation: Bool)] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT sequence, time_ms, kind = \(RecordKinds.location) AS is_location FROM record
                WHERE sequence >= ? AND sequence < ? AND time_ms BETWEEN ? AND ? ORDER BY sequence LIMIT ?
                """,
            arguments: [
                ends.lowerBound, ends.upperBound, span.lowerBound.milliseconds, span.upperBound.milliseconds, mostFound,
            ])
        while let row = try rows.next() { found.append((row["time_ms"], row["sequence"], row["is_location"])) }
        found.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        let query = try database.cachedStatement(sql: "SELECT \(RecordTable.list) FROM record WHERE sequence = ?")
        var records: [StoredRecord] = []
        var leftOut: [Int64: Int] = [:]
        for (index, row) in found.enumerated() where records.count < mostDecoded {
            let neighbours = found[max(0, index - 1)...min(found.count - 1, index + 1)]
            if neighbours.count == 3, neighbours.allSatisfy(\.isLocation), let before = records.last {
                leftOut[before.sequence, default: 0] += 1
            } else if let record = try Row.fetchOne(query, arguments: [row.sequence]).flatMap(RecordTable.stored) {
                records.append(record)
            }
        }
        return (records, leftOut)
    }

    private static func state(
        _ condition: String, _ values: [Int64], in database: GRDB.Database
    ) throws -> InitialState? {
        try Row.fetchOne(
            database, sql: "SELECT time_ms, text FROM decision WHERE subject = ? AND \(condition) LIMIT 1",
            arguments: [DecisionLog.Subject.state] + StatementArguments(values)
        ).map { row in
            InitialState(
                isMoving: row["text"] == DecisionLog.name(isMoving: true),
                since: Timestamp(milliseconds: row["time_ms"]))
        }
    }

    /// Leaves out data whose untrusted times were never corrected.
    private static func known(in database: GRDB.Database) throws -> ClosedRange<Timestamp>? {
        let ends = [
            "SELECT MIN(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MAX(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MIN(time_ms) FROM record WHERE is_doubtful <> 1",
            // Take the time of writing, because the last record may describe a much earlier event.
            "SELECT created_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence DESC LIMIT 1",
        ]
        let moments = try ends.compactMap { try Int64.fetchOne(database, sql: $0) }
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
    }

    /// Returns the times of the first and the last record with a trusted time.
    private static func knownEnds(in database: GRDB.Database) throws -> ClosedRange<Timestamp>? {
        let first = try Int64.fetchOne(
            database, sql: "SELECT time_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence LIMIT 1")
        let last = try Int64.fetchOne(
            database, sql: "SELECT created_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence DESC LIMIT 1")
        guard let first, let last else { return nil }
        return Timestamp(milliseconds: min(first, last))...Timestamp(milliseconds: max(first, last))
    }
}

extension HistoryExcerpt.Entry {
    init(_ row: Row) {
        self.init(
            time: Timestamp(milliseconds: row["time_ms"]), isTimeTrusted: row["is_trusted"],
            subject: row["subject"], text: row["text"], count: row["count"])
    }

    static func all(of span: ClosedRange<Timestamp>, in database: GRDB.Database) throws -> [Self] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM decision WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, id",
            arguments: [span.lowerBound.milliseconds, span.upperBound.milliseconds]
        ).map(Self.init)
    }

    /// Nil unless the receiver was switched.
    package var isReceiverOn: Bool? {
        guard subject == DecisionLog.Subject.receiver else { return nil }
        if text == DecisionLog.name(isOn: true) { return true }
        return text == DecisionLog.name(isOn: false) ? false : nil
    }
}
