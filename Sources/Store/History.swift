import GRDB
package import Quantities
package import Tracking

/// The contents of the database for a span of time.
package struct History: Sendable, Hashable {
    /// A decision, a rejected fix or a change of state.
    package struct Entry: Sendable, Hashable {
        /// UTC of the first occurrence within a minute.
        package let time: Timestamp
        /// Whether `time` comes from GPS or from a time server, perhaps after a correction.
        package let isTimeTrusted: Bool
        /// The subject of the decision, or one of `DecisionLog.Subject`.
        package let subject: String
        /// The decision, the reason for the rejection, or the name of the state.
        package let text: String
        /// The number of occurrences within a minute.
        package let count: Int
    }

    /// The state of the vehicle at the beginning of the span.
    package struct InitialState: Sendable, Hashable {
        /// Whether the vehicle was moving.
        package let isMoving: Bool
        /// The time at which the vehicle entered this state.
        package let since: Timestamp
    }

    /// The span of the data with trusted times in the database; nil if there is none.
    package let known: ClosedRange<Timestamp>?
    /// The state at the beginning of the span; nil if unknown.
    package let initialState: InitialState?
    /// The entries, in order of time.
    package let entries: [Entry]
    /// The records, in order of time.
    package let records: [StoredRecord]
    /// The numbers of locations that follow a record directly and that `records` leaves out, by the record's number.
    ///
    /// Only `HistoryPages` leaves out locations: those between the first and the last location of a series.
    package let leftOut: [Int64: Int]
}

/// Reads decisions and records while another program may be writing.
package final class HistoryReader {
    private let path: String
    private let database: DatabaseQueue

    /// Opens the file, which must exist; it may be a backup.
    package init(path: String) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path)
    }

    /// Returns the contents for a span of time, including both ends.
    package func history(of span: ClosedRange<Timestamp>) throws(StoreError) -> History {
        do {
            return try database.read { database in
                History(
                    known: try known(database), initialState: try initialState(at: span.lowerBound, database),
                    entries: try entries(span, database), records: try records(span, database), leftOut: [:])
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// Returns the entries of a span of time, including both ends, and the time from which the log is complete.
    ///
    /// This time is nil if trackerd has removed no row from the log.
    ///
    /// If trackerd switched the receiver on or off before the span, the list begins with the last entry about this.
    package func entries(of span: ClosedRange<Timestamp>) throws(StoreError) -> (
        entries: [History.Entry], since: Timestamp?
    ) {
        do {
            return try database.read { database in
                let since = try Int64.fetchOne(
                    database,
                    sql: "SELECT MIN(time_ms) FROM decision WHERE (SELECT MIN(id) FROM decision) > 1")
                let earlier = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT * FROM decision WHERE subject = ? AND text IN (?, ?) AND time_ms < ?
                        ORDER BY time_ms DESC, id DESC LIMIT 1
                        """,
                    arguments: [
                        DecisionLog.Subject.receiver, DecisionLog.name(isOn: true), DecisionLog.name(isOn: false),
                        span.lowerBound.milliseconds,
                    ])
                return (
                    try (earlier.map { [History.Entry($0)] } ?? []) + entries(span, database),
                    since.map(Timestamp.init(milliseconds:))
                )
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// Returns the span of all data, except data with untrusted times that were never corrected.
    private func known(_ database: GRDB.Database) throws -> ClosedRange<Timestamp>? {
        let ends = [
            "SELECT MIN(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MAX(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MIN(time_ms) FROM record WHERE is_doubtful <> 1",
            // The query uses the time at which records were written, because the last record may describe a much earlier event.
            "SELECT created_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence DESC LIMIT 1",
        ]
        let moments = try ends.compactMap { try Int64.fetchOne(database, sql: $0) }
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
    }

    private func initialState(at time: Timestamp, _ database: GRDB.Database) throws -> History.InitialState? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT time_ms, text FROM decision WHERE subject = ? AND time_ms <= ? ORDER BY time_ms DESC, id DESC LIMIT 1
                """, arguments: [DecisionLog.Subject.state, time.milliseconds])
        return row.map(History.InitialState.init)
    }

    private func entries(_ span: ClosedRange<Timestamp>, _ database: GRDB.Database) throws -> [History.Entry] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM decision WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, id",
            arguments: [span.lowerBound.milliseconds, span.upperBound.milliseconds]
        ).map(History.Entry.init)
    }

    private func records(_ span: ClosedRange<Timestamp>, _ database: GRDB.Database) throws -> [StoredRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(RecordTable.list) FROM record
                WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, sequence
                """, arguments: [span.lowerBound.milliseconds, span.upperBound.milliseconds]
        ).compactMap(RecordTable.stored)
    }
}

extension History.InitialState {
    /// Reads a row of the table `decision` about a state.
    init(_ row: Row) {
        self.init(
            isMoving: row["text"] == DecisionLog.name(isMoving: true), since: Timestamp(milliseconds: row["time_ms"]))
    }
}

extension History.Entry {
    /// Reads a row of the table `decision`.
    init(_ row: Row) {
        self.init(
            time: Timestamp(milliseconds: row["time_ms"]), isTimeTrusted: row["is_trusted"],
            subject: row["subject"], text: row["text"], count: row["count"])
    }

    /// Whether the entry states that trackerd switched the receiver on (true) or off (false); nil for an entry about something
    /// else.
    package var isReceiverOn: Bool? {
        guard subject == DecisionLog.Subject.receiver else { return nil }
        if text == DecisionLog.name(isOn: true) { return true }
        return text == DecisionLog.name(isOn: false) ? false : nil
    }
}
