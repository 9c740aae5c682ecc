import GRDB
package import Quantities
package import Tracking

package struct RecordSpan: Sendable, Hashable {
    package var from: Timestamp?
    package var to: Timestamp?
    package var trip: Int?

    package init(from: Timestamp? = nil, to: Timestamp? = nil, trip: Int? = nil) {
        self.from = from
        self.to = to
        self.trip = trip
    }
}

/// Reads what trackerd has recorded, even while another program is writing. `track`, `briefExcerpt`, `receiverChanges`,
/// `topSpeed` and `newestTrips` read little enough for the loop.
package final class History {
    private let path: String
    private let database: DatabaseQueue
    package private(set) var unreadableCount = 0

    /// The file may be a backup; each operation waits at most `patience` seconds for another program that is writing.
    package init(path: String, patience: Double = 5) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path, patience: patience)
    }

    /// Each operation waits at most `Database.patience_ms` for another program.
    package convenience init(forLoop path: String) throws(StoreError) {
        try self.init(path: path, patience: Double(Database.patience_ms) / 1000)
    }

    package func close() { Database.close(database) }

    /// Nil if the database has no record.
    package func known() throws(StoreError) -> ClosedRange<Timestamp>? {
        try reading { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT MIN(time_ms) AS low, MAX(time_ms) AS high FROM record")
            guard let low: Int64 = row?["low"], let high: Int64 = row?["high"] else { return nil }
            return Timestamp(milliseconds: low)...Timestamp(milliseconds: high)
        }
    }

    private func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        try database.read(path, body)
    }

    // MARK: - All records

    /// The number of records in one transaction. If one transaction lasted for the whole scan, a slow receiver of the
    /// output would stop the daemon's checkpoints.
    private static let mostAtOnce = 500

    /// Sorts the times first (16 bytes a record), because records are only nearly in order of time.
    package func forEach(in span: RecordSpan, _ body: (StoredRecord) throws -> Void) throws {
        let places = try places(in: span)
        for start in stride(from: 0, to: places.count, by: Self.mostAtOnce) {
            let chosen = places[start..<min(start + Self.mostAtOnce, places.count)].map(\.sequence)
            let rows = try rows(chosen)
            for sequence in chosen {
                // Retention may have removed the record since the scan began.
                guard let row = rows[sequence] else { continue }
                if let stored = RecordTable.stored(row) { try body(stored) } else { unreadableCount += 1 }
            }
        }
    }

    private struct Place {
        let time_ms: Int64
        let sequence: Int64
    }

    private func places(in span: RecordSpan) throws(StoreError) -> [Place] {
        var places: [Place] = []
        var last = Int64.min
        while true {
            let arguments: StatementArguments = [
                "last": last, "from": span.from?.milliseconds ?? Int64.min, "to": span.to?.milliseconds ?? Int64.max,
                "trip": span.trip,
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

    private static let placeQuery = """
        SELECT time_ms, sequence FROM record
        WHERE sequence > :last AND time_ms BETWEEN :from AND :to AND (:trip IS NULL OR trip = :trip)
        ORDER BY sequence LIMIT 20000
        """

    private func rows(_ sequences: [Int64]) throws(StoreError) -> [Int64: Row] {
        let list = sequences.map(String.init).joined(separator: ",")
        return try reading { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(RecordTable.list) FROM record WHERE sequence IN (\(list))")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["sequence"] as Int64, $0) })
        }
    }

    // MARK: - A track in pages

    package struct Page: Sendable, Hashable {
        package let records: [StoredRecord]
        /// Nil on the last page.
        package let after: Int64?
        /// No record of the span has a number above this one.
        package let last: Int64
        /// The page contains about one in `stride` plain locations, and all other records.
        package let stride: Int
    }

    /// A query for this number of rows takes about 5 ms on a PC, and 20 ms on a Raspberry Pi.
    private static let mostRows = 300
    /// The approximate number of rows that SQLite reads for a page, including those that the page skips.
    private static let mostScanned = 6000

    /// If the span has more than about `most` plain locations, the pages contain only every n-th of them.
    package func track(
        in span: ClosedRange<Timestamp>, after: Int64?, until: Int64? = nil, most: Int
    ) throws(StoreError) -> Page {
        try reading { database in
            let ends = try RowsByTime.records.range(of: span, in: database)
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
            let records = rows.filter { span.contains(Timestamp(milliseconds: $0["time_ms"])) }
                .compactMap(RecordTable.stored)
            return Page(
                records: records, after: rows.count == limit ? rows.last?["sequence"] : nil, last: ends.upperBound - 1,
                stride: stride)
        }
    }

    /// `topSpeed` reads at most this number of records about trips.
    private static let mostReports = 1000

    /// Considers all fixes of the trips, even unrecorded ones; nil if no ended trip overlaps the span.
    package func topSpeed(in span: ClosedRange<Timestamp>) throws(StoreError) -> MetresPerSecond? {
        try reading { database in
            let ends = try RowsByTime.records.range(of: span, in: database)
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RecordTable.list) FROM record WHERE kind = \(RecordKinds.trip) AND sequence >= ?
                    AND sequence <= COALESCE(
                        (SELECT MIN(sequence) FROM record WHERE kind = \(RecordKinds.trip) AND sequence >= ?), ?)
                    ORDER BY sequence LIMIT ?
                    """,
                arguments: [ends.lowerBound, ends.upperBound, Int64.max, Self.mostReports])
            let summaries = rows.compactMap { row -> TripSummary? in
                guard case .trip(let report) = RecordTable.stored(row)?.record.content else { return nil }
                return report.summary
            }
            let overlapping = summaries.filter { $0.started <= span.upperBound && $0.ended >= span.lowerBound }
            return overlapping.compactMap(\.topSpeed).max()
        }
    }

    // MARK: - Decisions

    package func excerpt(of span: ClosedRange<Timestamp>) throws(StoreError) -> HistoryExcerpt {
        try reading { try HistoryExcerpt(of: span, in: $0) }
    }

    /// Returns at most 1000 decisions, and at most 300 of the first 1000 records. Of a series of locations, the excerpt
    /// has only the first and the last one.
    package func briefExcerpt(of span: ClosedRange<Timestamp>) throws(StoreError) -> HistoryExcerpt {
        try reading { try HistoryExcerpt(briefly: span, in: $0) }
    }

    /// Returns the entries of the span, the last switching of the receiver before it, and the time from which the log
    /// is complete. `since` is nil if no row was removed.
    package func entries(of span: ClosedRange<Timestamp>) throws(StoreError) -> (
        entries: [HistoryExcerpt.Entry], since: Timestamp?
    ) {
        try reading { database in
            let since = try Int64.fetchOne(
                database, sql: "SELECT MIN(time_ms) FROM decision WHERE (SELECT MIN(id) FROM decision) > 1")
            let earlier = try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM decision WHERE \(Self.isSwitch) AND time_ms < :from ORDER BY time_ms DESC, id DESC LIMIT 1
                    """, arguments: Self.switches + ["from": span.lowerBound.milliseconds])
            return (
                try (earlier.map { [HistoryExcerpt.Entry($0)] } ?? [])
                    + HistoryExcerpt.Entry.all(of: span, in: database),
                since.map(Timestamp.init(milliseconds:))
            )
        }
    }

    /// Returns the last change before the span, and at most 2000 of the following ones.
    package func receiverChanges(
        in span: ClosedRange<Timestamp>
    ) throws(StoreError) -> [(time: Timestamp, isOn: Bool)] {
        try reading { database in
            let ids = try RowsByTime.decisions.range(of: span, in: database)
            let earlier = try Row.fetchOne(
                database, sql: "SELECT * FROM decision WHERE id < :from AND \(Self.isSwitch) ORDER BY id DESC LIMIT 1",
                arguments: Self.switches + ["from": ids.lowerBound])
            let rows = try Row.fetchAll(
                database,
                sql:
                    "SELECT * FROM decision WHERE id >= :from AND id < :to AND \(Self.isSwitch) ORDER BY id LIMIT 2000",
                arguments: Self.switches + ["from": ids.lowerBound, "to": ids.upperBound])
            let entries = ([earlier].compactMap(\.self) + rows).map(HistoryExcerpt.Entry.init)
            return entries.filter { $0.time <= span.upperBound }.compactMap { entry in
                entry.isReceiverOn.map { (entry.time, $0) }
            }
        }
    }

    private static let isSwitch = "subject = :subject AND text IN (:on, :off)"

    private static var switches: StatementArguments {
        [
            "subject": DecisionLog.Subject.receiver, "on": DecisionLog.name(isOn: true),
            "off": DecisionLog.name(isOn: false),
        ]
    }

    // MARK: - Trips

    /// Returns the trips in the order in which they were recorded.
    package func trips() throws(StoreError) -> [RecordedTrip] { try reading { try TripList($0).trips } }

    /// Returns some of the newest trips, in the order in which they were recorded, and then older ones with each call.
    /// Pass nil first, and then the result's `before`, which is nil at the end.
    package func newestTrips(before: Int64?) throws(StoreError) -> (trips: [RecordedTrip], before: Int64?) {
        try reading { database in
            var before = before
            let list = try TripList(newestBefore: &before, in: database)
            return (list.trips, before)
        }
    }

    /// Finds the trip with this number, else the newest with this name, else with this identifier.
    package func trip(_ name: String) throws(StoreError) -> RecordedTrip? {
        let trips = try trips()
        return trips.last { String($0.number) == name } ?? trips.last { $0.name == name }
            ?? trips.last { $0.report.externalID == name }
    }
}
