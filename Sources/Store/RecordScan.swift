import GRDB
package import Quantities
package import Tracking

/// A selection of records: by a span of time, by a trip, or by both.
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

/// Reads any number of records in order of time, a few at a time, even while a daemon is writing.
package final class RecordScan {
    /// The number of records that one read transaction returns.
    ///
    /// If one transaction lasted for the whole scan, a slow receiver of the output would stop the daemon's checkpoints.
    private static let page = 500

    private let path: String
    private let database: DatabaseQueue
    /// The number of rows that this version cannot read.
    package private(set) var unreadableCount = 0

    /// Opens the file, which must exist; the file may be a backup.
    package init(path: String) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path)
    }

    /// Passes the records of the span to `body`, ordered by time and then by sequence; stops if `body` throws.
    ///
    /// Records are nearly in order of time. The table has no index by time, because each commit would have to write to this index.
    /// The scan therefore first sorts the times, which needs 16 bytes for each record of the span.
    package func forEach(in span: RecordSpan, _ body: (StoredRecord) throws -> Void) throws {
        let places = try places(in: span)
        for start in stride(from: 0, to: places.count, by: Self.page) {
            let chosen = places[start..<min(start + Self.page, places.count)].map(\.sequence)
            let rows = try rows(chosen)
            for sequence in chosen {
                // Retention may have removed the record since the scan began.
                guard let row = rows[sequence] else { continue }
                guard let stored = RecordTable.stored(row) else {
                    unreadableCount += 1
                    continue
                }
                if let trip = span.trip, stored.record.trip != trip { continue }
                try body(stored)
            }
        }
    }

    private struct Place {
        let time_ms: Int64
        let sequence: Int64
    }

    /// Returns the places of the records in the span of time, in order.
    private func places(in span: RecordSpan) throws(StoreError) -> [Place] {
        var places: [Place] = []
        var last = Int64.min
        while true {
            let arguments: StatementArguments = [
                "last": last, "from": span.from?.milliseconds ?? Int64.min, "to": span.to?.milliseconds ?? Int64.max,
            ]
            let page = try reading { database in
                try Row.fetchAll(database.cachedStatement(sql: Self.placeQuery), arguments: arguments).map { row in
                    Place(time_ms: row["time_ms"], sequence: row["sequence"])
                }
            }
            places += page
            guard let end = page.last else { break }
            last = end.sequence
        }
        return places.sorted { ($0.time_ms, $0.sequence) < ($1.time_ms, $1.sequence) }
    }

    private func rows(_ sequences: [Int64]) throws(StoreError) -> [Int64: Row] {
        let list = sequences.map(String.init).joined(separator: ",")
        return try reading { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(RecordTable.list) FROM record WHERE sequence IN (\(list))")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["sequence"] as Int64, $0) })
        }
    }

    private func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(body) } catch { throw StoreError(error, path: path, doing: .read) }
    }

    private static let placeQuery = """
        SELECT time_ms, sequence FROM record WHERE sequence > :last AND time_ms BETWEEN :from AND :to
        ORDER BY sequence LIMIT 20000
        """

    /// Returns the times of the first and the last record; nil if the database has no record.
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
