import GRDB
package import Quantities
package import Tracking

/// Reads parts of the history quickly enough for the daemon's loop.
///
/// The tables have no index by time, because each commit would have to write to such an index. The times at which rows
/// were written increase with the rows' numbers. A bisection therefore finds the rows of a span. The bisection ignores
/// rows whose time is doubtful.
package final class HistoryPages {
    /// Some records of a span, in the order in which they were written.
    package struct Page: Sendable, Hashable {
        package let records: [StoredRecord]
        /// The record after which the next page continues; nil on the last page.
        package let after: Int64?
        /// No record of the span has a number above this one.
        package let last: Int64
        /// The page contains one of every `stride` plain locations, and all other records.
        package let stride: Int
    }

    /// The maximum number of rows in a page; a query for these rows takes about 5 ms on a PC, and about 20 ms on a
    /// Raspberry Pi.
    private static let mostRows = 300
    /// The approximate maximum number of rows that SQLite reads for a page, including the rows that the page skips.
    private static let mostScanned = 6000
    /// The maximum number of records, and of decisions, that `history` finds.
    private static let mostAround = 1000
    /// The longest time from an event to its record; for example, trackerd records a stop only after the vehicle has
    /// stood for some minutes.
    private static let delay = Duration.seconds(3600)

    private let path: String
    private let database: DatabaseQueue

    /// Opens the file, which must exist; each operation waits at most `Database.patience_ms` for another program.
    package init(path: String) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path, patience: Double(Database.patience_ms) / 1000)
    }

    /// Closes the file.
    package func close() { Database.close(database) }

    /// Returns the next records of a span of time, including both ends, with numbers above `after` and at most `until`.
    ///
    /// If the span contains more than about `most` plain locations, the pages contain only every n-th of them.
    package func records(
        in span: ClosedRange<Timestamp>, after: Int64?, until: Int64? = nil, most: Int
    ) throws(StoreError) -> Page {
        try reading { database in
            let ends = try rows(of: Self.records, span, database)
            let stride = max(1, (ends.count + most - 1) / max(1, most))
            let limit = min(Self.mostRows, max(20, Self.mostScanned / stride))
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RecordTable.list) FROM record
                    WHERE sequence > ? AND sequence >= ? AND sequence < ? AND sequence <= ?
                    AND (kind <> \(RecordKinds.location) OR sequence % ? = 0) ORDER BY sequence LIMIT ?
                    """,
                arguments: [after ?? .min, ends.lowerBound, ends.upperBound, until ?? .max, stride, limit])
            let records = rows.filter { span.contains(Timestamp(milliseconds: $0["time_ms"])) }.compactMap(
                RecordTable.stored)
            return Page(
                records: records, after: rows.count == limit ? rows.last?["sequence"] : nil, last: ends.upperBound - 1,
                stride: stride)
        }
    }

    /// Returns the contents for a span of time, including both ends, with at most the first 1000 records and decisions.
    ///
    /// Of a series of locations, the function decodes only the first and the last, and it decodes at most 300 records.
    package func history(of span: ClosedRange<Timestamp>) throws(StoreError) -> History {
        try reading { database in
            let ends = try rows(of: Self.decisions, span, database)
            let entries = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM decision WHERE id >= ? AND id < ? AND time_ms BETWEEN ? AND ?
                    ORDER BY time_ms, id LIMIT ?
                    """,
                arguments: [
                    ends.lowerBound, ends.upperBound, span.lowerBound.milliseconds, span.upperBound.milliseconds,
                    Self.mostAround,
                ]
            ).map(History.Entry.init)
            let state = try Row.fetchOne(
                database,
                sql: """
                    SELECT time_ms, text FROM decision WHERE id < ? AND subject = ? AND time_ms <= ?
                    ORDER BY id DESC LIMIT 1
                    """, arguments: [ends.upperBound, DecisionLog.Subject.state, span.lowerBound.milliseconds])
            let (records, leftOut) = try records(around: span, database)
            return History(
                known: try known(database), initialState: state.map(History.InitialState.init), entries: entries,
                records: records, leftOut: leftOut)
        }
    }

    /// Returns the highest speed of the trips that overlap a span of time; nil if no ended trip overlaps it.
    ///
    /// The speed comes from all fixes of these trips; the records contain only some of the fixes. The function reads at most
    /// 1000 reports about trips, and the next report after the span, which may end a trip of the span.
    package func topSpeed(in span: ClosedRange<Timestamp>) throws(StoreError) -> MetresPerSecond? {
        try reading { database in
            let ends = try rows(of: Self.records, span, database)
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RecordTable.list) FROM record WHERE kind = \(RecordKinds.trip) AND sequence >= ?
                    AND sequence <= COALESCE(
                        (SELECT MIN(sequence) FROM record WHERE kind = \(RecordKinds.trip) AND sequence >= ?), ?)
                    ORDER BY sequence LIMIT ?
                    """,
                arguments: [ends.lowerBound, ends.upperBound, Int64.max, Self.mostAround])
            let summaries = rows.compactMap { row -> TripSummary? in
                guard case .trip(let report) = RecordTable.stored(row)?.record.content else { return nil }
                return report.summary
            }
            let overlapping = summaries.filter { $0.started <= span.upperBound && $0.ended >= span.lowerBound }
            return overlapping.compactMap(\.topSpeed).max()
        }
    }

    /// Returns when trackerd switched the receiver on and off in a span of time.
    ///
    /// The list begins with the last change before the span. The function reads at most 2000 changes of the span.
    package func receiverChanges(
        in span: ClosedRange<Timestamp>
    ) throws(StoreError) -> [(time: Timestamp, isOn: Bool)] {
        try reading { database in
            let ends = try rows(of: Self.decisions, span, database)
            let isChange = "subject = :subject AND text IN (:on, :off)"
            let arguments: StatementArguments = [
                "from": ends.lowerBound, "to": ends.upperBound, "subject": DecisionLog.Subject.receiver,
                "on": DecisionLog.name(isOn: true), "off": DecisionLog.name(isOn: false),
            ]
            let earlier = try Row.fetchOne(
                database, sql: "SELECT * FROM decision WHERE id < :from AND \(isChange) ORDER BY id DESC LIMIT 1",
                arguments: arguments)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM decision WHERE id >= :from AND id < :to AND \(isChange) ORDER BY id LIMIT 2000",
                arguments: arguments)
            let entries = ([earlier].compactMap(\.self) + rows).map(History.Entry.init)
            return entries.filter { $0.time <= span.upperBound }.compactMap { entry in
                entry.isReceiverOn.map { (entry.time, $0) }
            }
        }
    }

    /// Returns the records of a span in order of time, and the numbers of locations that it leaves out (`History.leftOut`).
    private func records(
        around span: ClosedRange<Timestamp>, _ database: GRDB.Database
    ) throws -> (records: [StoredRecord], leftOut: [Int64: Int]) {
        let ends = try rows(of: Self.records, span, database)
        var found: [(time: Int64, sequence: Int64, isLocation: Bool)] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT sequence, time_ms, kind = \(RecordKinds.location) AS is_location FROM record
                WHERE sequence >= ? AND sequence < ? AND time_ms BETWEEN ? AND ? ORDER BY sequence LIMIT ?
                """,
            arguments: [
                ends.lowerBound, ends.upperBound, span.lowerBound.milliseconds, span.upperBound.milliseconds,
                Self.mostAround,
            ])
        while let row = try rows.next() { found.append((row["time_ms"], row["sequence"], row["is_location"])) }
        found.sort { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        let query = try database.cachedStatement(
            sql: "SELECT \(RecordTable.list) FROM record WHERE sequence = ?")
        var records: [StoredRecord] = []
        var leftOut: [Int64: Int] = [:]
        for (index, row) in found.enumerated() where records.count < Self.mostRows {
            let neighbours = found[max(0, index - 1)...min(found.count - 1, index + 1)]
            if neighbours.count == 3, neighbours.allSatisfy(\.isLocation), let before = records.last {
                leftOut[before.sequence, default: 0] += 1
            } else if let record = try Row.fetchOne(query, arguments: [row.sequence]).flatMap(RecordTable.stored) {
                records.append(record)
            }
        }
        return (records, leftOut)
    }

    /// Returns the times of the first and the last record whose time is certain.
    private func known(_ database: GRDB.Database) throws -> ClosedRange<Timestamp>? {
        let first = try Int64.fetchOne(
            database, sql: "SELECT time_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence LIMIT 1")
        let last = try Int64.fetchOne(
            database, sql: "SELECT created_ms FROM record WHERE is_doubtful <> 1 ORDER BY sequence DESC LIMIT 1")
        guard let first, let last else { return nil }
        return Timestamp(milliseconds: min(first, last))...Timestamp(milliseconds: max(first, last))
    }

    private func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(body) } catch { throw StoreError(error, path: path, doing: .read) }
    }
}

// MARK: - Bisection

extension HistoryPages {
    /// A table whose times increase with its keys.
    private struct Ordered {
        let table: String
        let key: String
        let time: String
        /// The condition for rows whose time is certain.
        let certain: String
    }

    private static let records = Ordered(
        table: "record", key: "sequence", time: "created_ms", certain: "is_doubtful <> 1")
    private static let decisions = Ordered(
        table: "decision", key: "id", time: "time_ms", certain: "is_trusted = 1")

    /// Returns the range of keys that contains all rows of the span.
    private func rows(
        of table: Ordered, _ span: ClosedRange<Timestamp>, _ database: GRDB.Database
    ) throws -> Range<Int64> {
        let first = try firstRow(of: table, from: span.lowerBound, database)
        let end = try firstRow(of: table, from: span.upperBound + Self.delay, database)
        return first..<max(first, end)
    }

    /// Returns the key of the first row with this time or a later time, or the key after the last row.
    private func firstRow(
        of table: Ordered, from time: Timestamp, _ database: GRDB.Database
    ) throws -> Int64 {
        let probe = try database.cachedStatement(
            sql: """
                SELECT \(table.key) AS key, \(table.time) AS time FROM \(table.table)
                WHERE \(table.key) >= ? AND \(table.certain) ORDER BY \(table.key) LIMIT 1
                """)
        var low = try Int64.fetchOne(database, sql: "SELECT MIN(\(table.key)) FROM \(table.table)") ?? 0
        var high = (try Int64.fetchOne(database, sql: "SELECT MAX(\(table.key)) FROM \(table.table)") ?? -1) + 1
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try Row.fetchOne(probe, arguments: [middle]), (row["key"] as Int64) < high else {
                high = middle
                continue
            }
            if (row["time"] as Int64) < time.milliseconds { low = row["key"] + 1 } else { high = middle }
        }
        return low
    }
}
