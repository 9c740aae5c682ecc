import GRDB
package import Quantities
package import Tracking

package struct RecordedTrip: Sendable, Hashable {
    /// The number of the trip, counted from 1.
    package let number: Int
    /// The name that the owner has given the trip.
    package fileprivate(set) var name: String?
    /// The identifier and the metadata from the command that started the trip, and the figures that trackerd recorded at its end.
    package fileprivate(set) var report: TripReport
    package fileprivate(set) var began: Timestamp
    /// The position at which the trip began; nil if it was unknown.
    package fileprivate(set) var start: Coordinate?
    /// The distance of the trip so far; nil unless the trip is under way.
    package fileprivate(set) var distanceSoFar: Metres?
    /// The time of the newest record; nil unless the trip is under way.
    package fileprivate(set) var lastRecord: Timestamp?
    /// The name of the vehicle that a beacon identifies.
    package fileprivate(set) var vehicle: String?
    /// The name of the driver whom a beacon identifies.
    package fileprivate(set) var driver: String?
    /// The tag of the trip's last record about its start or end.
    package fileprivate(set) var tag: String?
    package fileprivate(set) var startRegions: [RegionName] = []
    package fileprivate(set) var endRegions: [RegionName] = []
    fileprivate var odometerAtStart: Metres?

    /// The figures of the trip; nil if its end is not recorded.
    package var summary: TripSummary? { report.summary }

    /// Whether the end of the trip is not recorded, and the newest record belongs to the trip.
    package var isUnderWay: Bool { distanceSoFar != nil }

    /// The distance of the whole trip, or of the trip so far; nil if it is unknown.
    package var distance: Metres? { summary?.distance ?? distanceSoFar }

    /// The duration of the whole trip, or of the trip so far; nil if it is unknown.
    package var duration: Duration? { (summary?.ended ?? lastRecord).map { $0 - began } }
}

/// Lists the trips in the database while a daemon may be writing.
package final class TripCatalogue {
    private let path: String
    private let database: DatabaseQueue

    /// Opens the file, which must exist; the file may be a backup.
    ///
    /// Each operation waits at most `patience` seconds for another program that is writing.
    package init(path: String, patience: Double = 5) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path, patience: patience)
    }

    /// Returns the trips that have a record in the database, in the order in which they were recorded.
    package func trips() throws(StoreError) -> [RecordedTrip] {
        do {
            return try database.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(RecordTable.list) FROM record WHERE kind = \(RecordKinds.trip) ORDER BY sequence
                        """)
                var trips: [RecordedTrip] = []
                for record in rows.compactMap({ RecordTable.stored($0)?.record }) { Self.add(record, to: &trips) }
                try Self.complete(&trips, database)
                let names = try Self.names(database)
                for index in trips.indices { trips[index].name = names[trips[index].number] }
                return trips
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// Returns the newest trips, in the order in which they were recorded, and the row before which the next call continues.
    ///
    /// Pass nil as `before` to get the newest trips. In the result, `before` is nil if there are no earlier trips.
    package func newestTrips(before: Int64?) throws(StoreError) -> (trips: [RecordedTrip], before: Int64?) {
        do {
            return try database.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(RecordTable.list) FROM record WHERE kind = \(RecordKinds.trip) AND sequence < ?
                        ORDER BY sequence DESC LIMIT ?
                        """, arguments: [before ?? .max, Self.mostReports])
                let reports = rows.reversed().compactMap(RecordTable.stored)
                var trips: [RecordedTrip] = []
                for report in reports { Self.add(report.record, to: &trips) }
                var earlier: Int64?
                if rows.count == Self.mostReports, let cut = trips.first?.number {
                    // The report about the start of the earliest trip may not be among the rows.
                    trips.removeAll { $0.number == cut }
                    earlier = reports.last { Self.number(of: $0.record) == cut }.map { $0.sequence + 1 }
                }
                if before == nil { try Self.complete(&trips, database) }
                let names = try Self.names(database)
                for index in trips.indices { trips[index].name = names[trips[index].number] }
                return (trips, earlier)
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// The maximum number of reports about trips that `newestTrips` reads; a trip that has ended usually has two.
    private static let mostReports = 100

    /// Closes the file.
    package func close() { Database.close(database) }

    /// Returns the trip with this number or, if there is none, the newest trip with this name or this identifier.
    ///
    /// Returns nil if there is no such trip.
    package func trip(_ name: String) throws(StoreError) -> RecordedTrip? {
        let trips = try trips()
        return trips.last { String($0.number) == name } ?? trips.last { $0.name == name }
            ?? trips.last { $0.report.externalID == name }
    }

    /// Returns the names by number.
    private static func names(_ database: GRDB.Database) throws -> [Int: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT number, name FROM trip_name")
        return Dictionary(rows.map { ($0["number"], $0["name"]) }) { $1 }
    }

    private static func number(of record: Tracking.Record) -> Int? {
        guard case .trip(let report) = record.content else { return nil }
        return report.number ?? record.trip
    }

    /// Adds the figures so far to a trip that is under way.
    private static func complete(
        _ trips: inout [RecordedTrip], _ database: GRDB.Database
    ) throws {
        let newest = try Row.fetchOne(
            database, sql: "SELECT \(RecordTable.list) FROM record ORDER BY sequence DESC LIMIT 1")
        if let newest = newest.flatMap({ RecordTable.stored($0)?.record }) { continueLast(of: &trips, newest) }
    }

    private static func add(_ record: Tracking.Record, to trips: inout [RecordedTrip]) {
        guard case .trip(let report) = record.content, let number = number(of: record) else { return }
        // When a command takes over a trip that is under way, trackerd records the start of the trip a second time.
        let open = trips.lastIndex { $0.number == number && $0.summary == nil }
        if let open {
            trips[open].report.externalID = report.externalID ?? trips[open].report.externalID
            if !report.metadata.isEmpty { trips[open].report.metadata = report.metadata }
            trips[open].report.summary = report.summary
        } else {
            trips.append(
                RecordedTrip(
                    number: number, report: report, began: report.summary?.started ?? record.time,
                    start: report.summary?.start ?? record.position?.coordinate,
                    odometerAtStart: report.summary == nil ? record.odometer : nil))
        }
        let index = open ?? trips.count - 1
        if report.summary == nil {
            trips[index].startRegions = record.regions ?? []
        } else {
            trips[index].endRegions = record.regions ?? []
        }
        if let summary = report.summary {
            trips[index].began = summary.started
            trips[index].start = summary.start ?? trips[index].start
        }
        trips[index].vehicle = record.vehicle ?? trips[index].vehicle
        trips[index].driver = record.driver ?? trips[index].driver
        trips[index].tag = record.tag
    }

    /// Adds the figures so far to the last trip, if it has not ended.
    private static func continueLast(of trips: inout [RecordedTrip], _ newest: Tracking.Record) {
        guard let last = trips.last, last.summary == nil, newest.trip == last.number,
            let odometer = last.odometerAtStart
        else { return }
        trips[trips.count - 1].distanceSoFar = max(.zero, newest.odometer - odometer)
        trips[trips.count - 1].lastRecord = max(newest.time, last.began)
    }
}
