import Foundation
import GRDB
import Quantities
@testable import Store
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("The table of records")
struct RecordTableTests {
    private let folder = TemporaryFolder()

    private static let depot = RegionName(id: "a1", name: "Depot ß \"1\"")
    private static let time = Timestamp(milliseconds: 1_767_225_600_123)

    /// One content of each kind, with every part of it set.
    private static let contents: [Tracking.Record.Content] = [
        .location, .motionchange, .ping, .visit(Visit(arrived: time, departed: time)),
        .transition(
            Transition(.leave, by: .area, of: depot, text: "x", defined: time, inside: .milliseconds(90_500))),
        .waypoint(
            Waypoint(
                text: "x", coordinate: Coordinate(latitude: 52.37, longitude: 4.880000000012), radius: Metres(120.4),
                defined: time, id: "a1")),
        .trip(TripReport(externalID: "T-7", metadata: [.init(key: "load", value: "bricks")])),
        .trip(TripReport(number: 3, summary: TripSummary(start: nil, started: time))),
        .request(RequestAnswer(action: ActionParameters(actionId: "5"), failure: "no fix", took: .seconds(120))),
        .providerchange(ProviderChange(.jammed, jamming: 255)),
        .power(.started, start: StartReport(version: "0.1.0", board: "pi4", boots: 12)),
        .health(
            HealthReport(
                .sentTimesWrong, reason: "x",
                correction: SentTimes(first: 3, last: .max, count: 5, from: time, to: time))),
        .optionschange(OptionsChange(origin: "home", keys: ["a", "b"], refusal: "no")),
        .driving(
            DrivingEvent(
                .overspeed, peak: Acceleration(4.316), lasted: .milliseconds(1250), topSpeed: MetresPerSecond(3.1),
                limit: MetresPerSecond(36.11))),
        .order(
            OrderReport(
                target: "home", id: "7f", request: "status", isAccepted: true, text: "", data: #"{"a":[1,"x"]}"#)),
    ]

    private static func bare(_ content: Tracking.Record.Content) -> Tracking.Record {
        Tracking.Record(
            content, time: time, isTimeTrusted: false, position: nil, isMoving: false, odometer: .zero, trip: nil)
    }

    private static var whole: Tracking.Record {
        var record = bare(.location)
        var position = coordinate(52.1234567, -180).map {
            Position(
                coordinate: $0, accuracy: Metres(1.99), altitude: Metres(-18.1901), ellipsoidAltitude: Metres(27.3),
                verticalAccuracy: Metres(3.2), speed: MetresPerSecond(21.462), course: Degrees(359.9999),
                satellites: 12)
        }
        position?.solution = .combined
        record.position = position
        (record.isMoving, record.isTimeTrusted, record.isTimeCounted) = (true, true, true)
        (record.odometer, record.trip, record.supply) = (Metres(13179.352739071315), 7, Volts(14.125))
        (record.tag, record.vehicle, record.driver, record.regions) = ("night", "van 1", "Ann", [depot])
        (record.trigger, record.ignition, record.isWithheld) = (.region, true, true)
        (record.mode, record.radius) = (.move, Metres(100))
        return record
    }

    private static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A record per field and test value; the values include nil and the limits.
    private static var variants: [(name: String, record: Tracking.Record)] {
        var all: [(String, Tracking.Record)] = []
        func add<Value>(_ name: String, _ place: WritableKeyPath<Tracking.Record, Value>, _ values: [Value]) {
            for value in values {
                for var record in [whole, bare(.ping)] {
                    record[keyPath: place] = value
                    all.append(("\(name) = \(value)", record))
                }
            }
        }
        func addPosition<Value>(_ name: String, _ place: WritableKeyPath<Position, Value>, _ values: [Value]) {
            for value in values {
                var record = whole
                record.position?[keyPath: place] = value
                all.append(("\(name) = \(value)", record))
            }
        }
        let numbers = [
            0, -0.0, 1e-9, 0.1, 1.0 / 3, -18.19, 1e15, 1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]
        add("time", \.time, [Int64.min, -1, 0, .max].map(Timestamp.init(milliseconds:)))
        add("isTimeTrusted", \.isTimeTrusted, [false, true])
        add("isMoving", \.isMoving, [false, true])
        add("isTimeCounted", \.isTimeCounted, [nil, false, true])
        add("isWithheld", \.isWithheld, [nil, false, true])
        add("ignition", \.ignition, [nil, false, true])
        add("odometer", \.odometer, numbers.map(Metres.init))
        add("trip", \.trip, [nil, 0, 1, .max, .min])
        add("tag", \.tag, [nil, "", "ß∑ \" \u{1} \\"])
        add("vehicle", \.vehicle, [nil, "", "v"])
        add("driver", \.driver, [nil, "", "d"])
        add("regions", \.regions, [nil, [], [depot, depot]])
        add("trigger", \.trigger, [nil, .region, .beacon, .follow, .movedUnseen])
        add("supply", \.supply, [nil] + numbers.map(Volts.init))
        add("mode", \.mode, [nil] + MonitoringMode.allCases)
        add("radius", \.radius, [nil, Metres(0), Metres(1.0 / 3)])
        add("position", \.position, [nil])
        let places = [
            coordinate(90, 180), coordinate(-90, -180), coordinate(0, -0.0), coordinate(1.0 / 3, 52.123456789),
        ]
        for place in places.compactMap(\.self) { add("position", \.position, [Position(coordinate: place)]) }
        addPosition("satellites", \.satellites, [nil, 0, .max])
        addPosition("solution", \.solution, [nil, .deadReckoning, .combined, .simulated])
        for (name, place) in [
            ("accuracy", \Position.accuracy), ("altitude", \.altitude),
            ("ellipsoidAltitude", \.ellipsoidAltitude), ("verticalAccuracy", \.verticalAccuracy),
        ] {
            addPosition(name, place, [nil] + numbers.map(Metres.init))
        }
        addPosition("speed", \.speed, [nil] + numbers.map(MetresPerSecond.init))
        addPosition("course", \.course, [nil] + numbers.map(Degrees.init))
        for content in contents { add("\(content)", \.content, [content]) }
        return all
    }

    private func roundTrip(_ records: [StoredRecord]) throws -> [StoredRecord?] {
        let database = try DatabaseQueue(path: folder.database)
        defer { try? database.close() }
        return try database.write { database in
            if try !Schema.isPresent(database) { try Schema.create(in: database) }
            for record in records { try RecordTable.insert(RecordValues(record), into: database) }
            return try Row.fetchAll(database, sql: "SELECT \(RecordTable.list) FROM record ORDER BY sequence")
                .map(RecordTable.stored)
        }
    }

    @Test("A record of each kind, with each field set, nil and at its limits, is the same after storing.")
    func everyField() throws {
        let variants = Self.variants
        #expect(Set(variants.map(\.record.kind)) == Set(Tracking.Record.Kind.allCases))
        let records = variants.enumerated().map { index, variant in
            StoredRecord(
                sequence: Int64(index + 1), uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12",
                created: Timestamp(milliseconds: index.isMultiple(of: 3) ? .max - 5 : 1_767_225_600_000),
                record: variant.record)
        }
        for ((name, _), (before, after)) in zip(variants, zip(records, try roundTrip(records))) {
            #expect(after == before, "\(name)")
            // Two numbers may be equal and yet different, as 0 and -0.
            #expect("\(after.map { "\($0)" } ?? "nil")" == "\(before)", "\(name)")
        }
    }

    @Test("A row with a value of a wrong type is unreadable, whatever the column and the value.")
    func wrongTypes() throws {
        let record = StoredRecord(
            sequence: 1, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12", created: Self.time, record: Self.whole)
        let values = RecordTable.columns.map { $0.write(RecordValues(record)) }
        let others: [DatabaseValue] = [
            .null, 7.databaseValue, 0.5.databaseValue, "x".databaseValue, Data([1]).databaseValue,
        ]
        for (index, column) in RecordTable.columns.enumerated() {
            for other in others {
                var changed = values
                changed[index] = other
                // The row is read or left out, but nothing stops the program.
                _ = RecordTable.values { changed[$0] }?.stored
            }
            var changed = values
            changed[index] = Data([1]).databaseValue
            #expect(RecordTable.values { changed[$0] } == nil, "\(column.name)")
        }
        for flags in [Int64.max, .min, -1, 3 << 4, 7 << 10, 7 << 19] {
            var row = RecordValues(record)
            row.flags.bits = flags
            #expect(row.stored == nil, "\(flags)")
        }
        for rest in ["torn", "[]", #"{"regions":7}"#] {
            var row = RecordValues(record)
            row.rest = rest
            #expect(row.stored == nil, "\(rest)")
        }
        var row = RecordValues(record)
        row.kind = 99
        #expect(row.stored == nil)
    }

    @Test("Of a drive, a location needs at most 90 bytes of the file.")
    func size() throws {
        var random = SplitMix(seed: 3)
        func number(_ range: ClosedRange<Int>, _ scale: Double) -> Double {
            Double(Int.random(in: range, using: &random)) / scale
        }
        let records = try (1...2000).map { index in
            var record = Self.bare(.location)
            let coordinate = try #require(
                Self.coordinate(number(520_000_000...530_000_000, 1e7), number(40_000_000...50_000_000, 1e7)))
            record.time = Timestamp(milliseconds: 1_767_225_600_000 + Int64(index) * 9000)
            record.position = Position(
                coordinate: coordinate, accuracy: Metres(number(1000...9000, 1e3)),
                altitude: Metres(number(-200...9000, 100)), speed: MetresPerSecond(number(1000...30_000, 1e3)),
                course: Degrees(number(0...35_999, 100)))
            (record.isMoving, record.isTimeTrusted, record.mode) = (true, true, .move)
            (record.odometer, record.trip) = (Metres(Double(index) * 123.456789), 1 + index / 200)
            return StoredRecord(
                sequence: Int64(index), uuid: UUID().uuidString.lowercased(), created: record.time, record: record)
        }
        let empty = try pages()
        _ = try roundTrip(records)
        #expect(try Double((pages() - empty) * PageSize.bytes) / 2000 <= 90)
    }

    private func pages() throws -> Int {
        let database = try Database.open(folder.database, .synced)
        defer { Database.close(database) }
        return try database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }

    @Test("The view `records` shows degrees, words and ISO times.")
    func view() throws {
        let record = StoredRecord(
            sequence: 4, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12",
            created: Self.time + .milliseconds(1500), record: Self.whole)
        _ = try roundTrip([record])
        let database = try DatabaseQueue(path: folder.database)
        let row = try #require(try database.read { try Row.fetchOne($0, sql: "SELECT * FROM records") })
        let shown = row.map { name, value in "\(name)=\(value)" }
        #expect(
            shown == [
                "sequence=4", #"uuid="0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12""#, #"kind="location""#,
                #"time="2026-01-01T00:00:00.123Z""#, #"created="2026-01-01T00:00:01.623Z""#, "is_moving=1",
                "is_time_trusted=1", #"is_time_counted="yes""#, "is_withheld=1", #"ignition="on""#, #"mode="move""#,
                #"solution="combined""#, #"trigger="region""#, "latitude=52.1234567", "longitude=-180.0",
                "accuracy_m=1.99", "altitude_m=-18.1901", "ellipsoid_altitude_m=27.3", "vertical_accuracy_m=3.2",
                "speed_mps=21.462", "course_deg=359.9999", "supply_V=14.125", "satellites=12",
                "odometer_m=13179.352739071315", "trip=7", #"tag="night""#, #"vehicle="van 1""#, #"driver="Ann""#,
                #"rest="{\"radius\":100,\"regions\":[{\"id\":\"a1\",\"name\":\"Depot ß \\\"1\\\"\"}]}""#,
            ])
    }
}
