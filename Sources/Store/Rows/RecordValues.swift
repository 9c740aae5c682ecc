import FoundationEssentials
import Quantities
import Tracking
import TrackingOptions

/// A record's row in base units: degrees, metres, metres per second, volts.
struct RecordValues: Hashable, Sendable {
    var sequence: Int64 = 0
    var uuid = ""
    var kind: Int64 = 0
    var time_ms: Int64 = 0
    var delay_ms: Int64 = 0
    var flags = RecordFlags()
    var boot = ""
    var sinceBoot_ms: Int64 = 0
    var latitude: Double?
    var longitude: Double?
    var accuracy: Double?
    var altitude: Double?
    var ellipsoidAltitude: Double?
    var verticalAccuracy: Double?
    var speed: Double?
    var course: Double?
    var satellites: Int?
    var odometer = 0.0
    var trip: Int?
    var supply: Double?
    var tag: String?
    var vehicle: String?
    var driver: String?
    var rest: String?

    init() {}

    /// Sets no boot and no doubt, as for a certain date.
    init(_ stored: StoredRecord) {
        let record = stored.record
        (sequence, uuid, kind) = (stored.sequence, stored.uuid, RecordKinds.number(of: record.kind))
        time_ms = record.time.milliseconds
        delay_ms = stored.created.milliseconds &- time_ms
        flags = RecordFlags(record)
        let position = record.position
        (latitude, longitude) = (position?.coordinate.latitude, position?.coordinate.longitude)
        (accuracy, verticalAccuracy) = (position?.accuracy?.value, position?.verticalAccuracy?.value)
        (altitude, ellipsoidAltitude) = (position?.altitude?.value, position?.ellipsoidAltitude?.value)
        (speed, course, satellites) = (position?.speed?.value, position?.course?.value, position?.satellites)
        (odometer, trip, supply) = (record.odometer.value, record.trip, record.supply?.value)
        (tag, vehicle, driver) = (record.tag, record.vehicle, record.driver)
        rest = RecordRest(record).text
    }

    /// Nil if this version cannot read the row.
    var stored: StoredRecord? {
        guard let kind = RecordKinds.kind(kind), let rest = RecordRest(text: rest),
            let content = rest.content(of: kind)
        else { return nil }
        var record = Record(
            content, time: Timestamp(milliseconds: time_ms), isTimeTrusted: false, position: nil, isMoving: false,
            odometer: Metres(odometer), trip: trip)
        guard flags.read(into: &record) else { return nil }
        if let latitude, let longitude {
            guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let position = position(coordinate)
            else { return nil }
            record.position = position
        }
        record.supply = supply.map(Volts.init)
        (record.tag, record.vehicle, record.driver) = (tag, vehicle, driver)
        (record.regions, record.radius) = (rest.regions, rest.radius)
        return StoredRecord(
            sequence: sequence, uuid: uuid, created: Timestamp(milliseconds: time_ms &+ delay_ms), record: record)
    }

    private func position(_ coordinate: Coordinate) -> Position? {
        var position = Position(
            coordinate: coordinate, accuracy: accuracy.map(Metres.init), altitude: altitude.map(Metres.init),
            ellipsoidAltitude: ellipsoidAltitude.map(Metres.init),
            verticalAccuracy: verticalAccuracy.map(Metres.init), speed: speed.map(MetresPerSecond.init),
            course: course.map(Degrees.init), satellites: satellites)
        guard let solution = flags.solution else { return nil }
        position.solution = solution
        return position
    }
}

/// The fields that only rare records have.
struct RecordRest: Codable {
    private var content: Record.Content?
    private(set) var regions: [RegionName]?
    private(set) var radius: Metres?

    init(_ record: Record) {
        content = Self.bare(record.kind) == nil ? record.content : nil
        (regions, radius) = (record.regions, record.radius)
    }

    /// Nil for a text that this version cannot read; a row has no text if the record has nothing rare.
    init?(text: String?) {
        guard let text else { return }
        guard let rest = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = rest
    }

    var text: String? {
        guard content != nil || regions != nil || radius != nil else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for a number that is not finite, and the core has no such numbers.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Nil if the row lacks the content that this kind needs.
    func content(of kind: Record.Kind) -> Record.Content? { Self.bare(kind) ?? content }

    /// Nil if records of this kind differ in their content.
    private static func bare(_ kind: Record.Kind) -> Record.Content? {
        switch kind {
        case .location: .location
        case .motionchange: .motionchange
        case .ping: .ping
        case .visit, .transition, .waypoint, .trip, .request, .providerchange, .power, .health, .optionschange,
            .driving, .order:
            nil
        }
    }
}

/// The numbers of the kinds of record; the table `kind` has their words.
enum RecordKinds {
    static let location = number(of: .location)
    static let trip = number(of: .trip)

    static func number(of kind: Record.Kind) -> Int64 {
        switch kind {
        case .location: 0
        case .motionchange: 1
        case .visit: 2
        case .transition: 3
        case .waypoint: 4
        case .trip: 5
        case .request: 6
        case .ping: 7
        case .providerchange: 8
        case .power: 9
        case .health: 10
        case .optionschange: 11
        case .driving: 12
        case .order: 13
        }
    }

    /// Nil if this version does not know the kind.
    static func kind(_ number: Int64) -> Record.Kind? { kinds[number] }

    private static let kinds = Dictionary(uniqueKeysWithValues: Record.Kind.allCases.map { (number(of: $0), $0) })
}
