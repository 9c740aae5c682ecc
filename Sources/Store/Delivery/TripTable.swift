import GRDB
import Tracking

/// Names trips and removes their records, over a connection of its own.
package final class TripTable {
    package enum Standing: Sendable, Hashable {
        case unknown
        /// The trip is the newest, and its end is not recorded yet.
        case underWay
        case ended
    }

    package struct Step: Sendable, Hashable {
        package let removed: Int
        /// The record after which the next call continues; nil if the trip has no further records.
        package let after: Int64?

        package init(removed: Int, after: Int64?) {
            (self.removed, self.after) = (removed, after)
        }
    }

    /// The number of rows that one call of `remove` reads, which takes some milliseconds.
    private static let mostRead = 1000
    /// The number of undelivered rows that `hasUndelivered` reads for each target.
    private static let mostUndelivered = 5000

    private let path: String
    private let database: DatabaseQueue
    private let turn: WriteTurn

    /// Waits at most `Database.patience_ms` for another program that has locked the file.
    package convenience init(path: String) throws(StoreError) { try self.init(path: path, turn: WriteTurn()) }

    package convenience init(beside table: SetAsideTable) throws(StoreError) {
        try self.init(path: table.path, turn: table.turn)
    }

    private init(path: String, turn: WriteTurn) throws(StoreError) {
        (self.path, self.turn) = (path, turn)
        database = try turn.openBriefly(path)
        // SQLite then overwrites removed records with zeros, instead of only marking their space as free.
        _ = try? database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    }

    package func standing(of trip: Int) throws(StoreError) -> Standing {
        try database.read(path) { database in
            let next = try firstRow(from: trip + 1, database)
            let last = try Int64.fetchOne(
                database, sql: "SELECT MAX(sequence) FROM record WHERE kind = \(RecordKinds.trip) AND sequence < ?",
                arguments: [next ?? .max])
            guard let last, let report = try report(at: last, database), report.number == trip else { return .unknown }
            return next == nil && report.summary == nil ? .underWay : .ended
        }
    }

    /// Nil removes the name.
    package func setName(_ name: String?, of trip: Int) throws(StoreError) {
        try writing { database in
            if let name {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO trip_name (number, name) VALUES (?, ?)", arguments: [trip, name])
            } else {
                try database.execute(sql: "DELETE FROM trip_name WHERE number = ?", arguments: [trip])
            }
        }
    }

    /// Also true if a target has at least `mostUndelivered` waiting records in the trip's range; ignores set-aside
    /// records.
    package func hasUndelivered(of trip: Int, targets: [String]) throws(StoreError) -> Bool {
        try database.read(path) { database in
            let span = try span(of: trip, database)
            for target in targets {
                let trips = try Int?.fetchAll(
                    database,
                    sql: """
                        SELECT trip FROM record
                        WHERE sequence BETWEEN :first AND :last AND (\(DeliveryTable.isUndelivered) OR \(DeliveryTable.isDue))
                        ORDER BY sequence LIMIT :limit
                        """,
                    arguments: [
                        "first": span.lowerBound, "last": span.upperBound, "target": target,
                        "limit": Self.mostUndelivered,
                    ])
                if trips.count == Self.mostUndelivered || trips.contains(trip) { return true }
            }
            return false
        }
    }

    package func remove(_ trip: Int, after: Int64?) throws(StoreError) -> Step {
        let (chosen, last) = try database.read(path) { database in
            let span = try span(of: trip, database)
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT sequence, trip FROM record
                    WHERE sequence > ? AND sequence BETWEEN ? AND ? ORDER BY sequence LIMIT ?
                    """,
                arguments: [after ?? .min, after == nil ? span.lowerBound : .min, span.upperBound, Self.mostRead])
            let chosen = rows.filter { ($0["trip"] as Int?) == trip }.map { $0["sequence"] as Int64 }
            return (chosen, rows.count == Self.mostRead ? rows.last?["sequence"] as Int64? : nil)
        }
        try writing { database in
            let list = chosen.map(String.init).joined(separator: ",")
            for table in ["record", "ahead", "refused"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE sequence IN (\(list))")
            }
            if last == nil { try database.execute(sql: "DELETE FROM trip_name WHERE number = ?", arguments: [trip]) }
        }
        return Step(removed: chosen.count, after: last)
    }

    package func close() { Database.close(database) }
}

// MARK: - Where the records of a trip are

extension TripTable {
    /// Returns the span from the last report about the previous trip to the first about the next one. The record of a
    /// departure precedes the report of the trip's start, and the records of the parked vehicle follow the report of
    /// its end.
    private func span(of trip: Int, _ database: GRDB.Database) throws -> ClosedRange<Int64> {
        let next = try firstRow(from: trip + 1, database) ?? .max
        let first = try firstRow(from: trip, database) ?? next
        let before = try Int64.fetchOne(
            database, sql: "SELECT MAX(sequence) FROM record WHERE kind = \(RecordKinds.trip) AND sequence < ?",
            arguments: [first])
        return (before ?? 0)...max(before ?? 0, next)
    }

    /// Finds the first row about this trip or a later trip by bisection, because the numbers of trips never decrease.
    private func firstRow(from trip: Int, _ database: GRDB.Database) throws -> Int64? {
        let query = "SELECT MIN(sequence) FROM record WHERE kind = \(RecordKinds.trip) AND sequence >= ?"
        var low = try Int64.fetchOne(database, sql: query, arguments: [Int64.min]) ?? 0
        let last = try Int64.fetchOne(
            database, sql: "SELECT MAX(sequence) FROM record WHERE kind = \(RecordKinds.trip)")
        var high = (last ?? 0) + 1
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try Int64.fetchOne(database, sql: query, arguments: [middle]), row < high else {
                high = middle
                continue
            }
            if try report(at: row, database)?.number ?? 0 < trip { low = row + 1 } else { high = middle }
        }
        return try Int64.fetchOne(database, sql: query, arguments: [low])
    }

    private func report(at sequence: Int64, _ database: GRDB.Database) throws -> TripReport? {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(RecordTable.list) FROM record WHERE sequence = ?",
            arguments: [sequence])
        guard let record = row.flatMap(RecordTable.stored)?.record, case .trip(var report) = record.content else {
            return nil
        }
        report.number = report.number ?? record.trip
        return report
    }

    private func writing(_ body: (GRDB.Database) throws -> Void) throws(StoreError) {
        do { try turn.write(database, body) } catch { throw StoreError(error, path: path, doing: .write) }
    }
}
