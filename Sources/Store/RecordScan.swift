import GRDB
package import Quantities
package import Tracking

/// A selection of records: a span of time, or the records of one trip, or both.
package struct RecordSpan: Sendable, Hashable {
    /// The earliest time; nil for no limit.
    package var from: Timestamp?
    /// The latest time; nil for no limit.
    package var to: Timestamp?
    /// The number of the trip; nil for all records.
    package var trip: Int?

    /// Makes a selection; an argument that is left out sets no limit.
    package init(from: Timestamp? = nil, to: Timestamp? = nil, trip: Int? = nil) {
        self.from = from
        self.to = to
        self.trip = trip
    }
}

/// Reads any number of records in order of time, in constant memory, while a daemon may be writing.
package final class RecordScan {
    /// The number of rows that one read transaction returns.
    ///
    /// A transaction for the whole scan would stop the daemon's checkpoints while the reader of the output waits.
    private static let page = 500

    private let path: String
    private let database: DatabaseQueue
    private let text = RecordText()
    /// The number of rows that this version cannot read.
    package private(set) var unreadableCount = 0

    /// Opens the file, which must exist; it may be a backup of an older version.
    package init(path: String) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path, .older)
    }

    /// Passes the records of the span to `body`, ordered by time and then by sequence; stops if `body` throws.
    package func forEach(in span: RecordSpan, _ body: (StoredRecord) throws -> Void) throws {
        var last = (time_ms: span.from.map { $0.milliseconds } ?? Int64.min, sequence: Int64.min)
        while true {
            let rows = try page(after: last, span)
            for row in rows {
                guard let stored = text.stored(row) else {
                    unreadableCount += 1
                    continue
                }
                try body(stored)
            }
            guard rows.count == Self.page, let end = rows.last else { return }
            last = (end["time_ms"], end["sequence"])
        }
    }

    private func page(after last: (time_ms: Int64, sequence: Int64), _ span: RecordSpan) throws(StoreError) -> [Row] {
        let arguments: StatementArguments = [
            "time": last.time_ms, "sequence": last.sequence, "to": span.to?.milliseconds ?? Int64.max,
            "trip": span.trip, "limit": Self.page,
        ]
        do {
            return try database.read { database in
                try Row.fetchAll(database.cachedStatement(sql: Self.query), arguments: arguments)
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// The index on the time includes the sequence, so SQLite reads the rows in this order.
    private static let query = """
        SELECT sequence, uuid, time_ms, created_ms, body FROM record
        WHERE (time_ms, sequence) > (:time, :sequence) AND time_ms <= :to
        AND (:trip IS NULL OR json_extract(body, '$.trip') = :trip)
        ORDER BY time_ms, sequence LIMIT :limit
        """

    /// Returns the times of the first and the last record; nil if the database has none.
    package func known() throws(StoreError) -> ClosedRange<Timestamp>? {
        do {
            return try database.read { database in
                let row = try Row.fetchOne(
                    database, sql: "SELECT MIN(time_ms) AS low, MAX(time_ms) AS high FROM record")
                guard let low: Int64 = row?["low"], let high: Int64 = row?["high"] else { return nil }
                return Timestamp(milliseconds: low)...Timestamp(milliseconds: high)
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }
}
