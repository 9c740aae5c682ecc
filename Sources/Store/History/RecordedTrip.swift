import GRDB
package import Quantities
package import Tracking

package struct RecordedTrip: Sendable, Hashable {
    /// Counted from 1.
    package let number: Int
    /// The name that the owner gave.
    package fileprivate(set) var name: String?
    /// The report, with the figures that trackerd recorded at the trip's end.
    package fileprivate(set) var report: TripReport
    package fileprivate(set) var began: Timestamp
    /// Nil if the start was unknown.
    package fileprivate(set) var start: Coordinate?
    /// This and `lastRecord` are nil unless the trip is under way.
    package fileprivate(set) var distanceSoFar: Metres?
    package fileprivate(set) var lastRecord: Timestamp?
    package fileprivate(set) var vehicle: String?
    package fileprivate(set) var driver: String?
    /// The tag of the trip's last record about its start or end.
    package fileprivate(set) var tag: String?
    package fileprivate(set) var startRegions: [RegionName] = []
    package fileprivate(set) var endRegions: [RegionName] = []
    fileprivate var odometerAtStart: Metres?

    /// Nil if the end of the trip is not recorded.
    package var summary: TripSummary? { report.summary }

    /// True if the end is not recorded, and the newest record belongs to the trip.
    package var isUnderWay: Bool { distanceSoFar != nil }

    /// Of a trip under way, this and `duration` are the values so far.
    package var distance: Metres? { summary?.distance ?? distanceSoFar }

    package var duration: Duration? { (summary?.ended ?? lastRecord).map { $0 - began } }
}

struct TripList {
    private(set) var trips: [RecordedTrip] = []

    /// The limit of reports; a trip that has ended usually has two.
    private static let mostReports = 100

    init(_ database: GRDB.Database) throws {
        let rows = try Self.rows("ORDER BY sequence", [], in: database)
        for report in rows.compactMap(RecordTable.stored) { add(report.record) }
        try addFiguresSoFar(in: database)
        try addNames(in: database)
    }

    /// `before` is the row before which the next call continues: nil at first, and again at the end.
    init(newestBefore before: inout Int64?, in database: GRDB.Database) throws {
        let isNewest = before == nil
        let rows = try Self.rows(
            "AND sequence < ? ORDER BY sequence DESC LIMIT ?", [before ?? .max, Self.mostReports], in: database)
        let reports = rows.reversed().compactMap(RecordTable.stored)
        for report in reports { add(report.record) }
        before = nil
        if rows.count == Self.mostReports, let cut = trips.first?.number {
            // The report about the start of the earliest trip may be missing from the rows.
            trips.removeAll { $0.number == cut }
            before = reports.last { Self.number(of: $0.record) == cut }.map { $0.sequence + 1 }
        }
        if isNewest { try addFiguresSoFar(in: database) }
        try addNames(in: database)
    }

    private static func rows(
        _ rest: String, _ arguments: StatementArguments, in database: GRDB.Database
    ) throws -> [Row] {
        try Row.fetchAll(
            database, sql: "SELECT \(RecordTable.list) FROM record WHERE kind = \(RecordKinds.trip) \(rest)",
            arguments: arguments)
    }

    private mutating func addNames(in database: GRDB.Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT number, name FROM trip_name")
        let names: [Int: String] = Dictionary(rows.map { ($0["number"], $0["name"]) }) { $1 }
        for index in trips.indices { trips[index].name = names[trips[index].number] }
    }

    private static func number(of record: Tracking.Record) -> Int? {
        guard case .trip(let report) = record.content else { return nil }
        return report.number ?? record.trip
    }

    private mutating func add(_ record: Tracking.Record) {
        guard case .trip(let report) = record.content, let number = Self.number(of: record) else { return }
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

    private mutating func addFiguresSoFar(in database: GRDB.Database) throws {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(RecordTable.list) FROM record ORDER BY sequence DESC LIMIT 1")
        guard let newest = row.flatMap(RecordTable.stored)?.record, let last = trips.last, last.summary == nil,
            newest.trip == last.number, let odometer = last.odometerAtStart
        else { return }
        trips[trips.count - 1].distanceSoFar = max(.zero, newest.odometer - odometer)
        trips[trips.count - 1].lastRecord = max(newest.time, last.began)
    }
}
