internal import Quantities
internal import Tracking

/// The properties of a feature that usually stay the same for many records, with the names of docs/geojson.schema.json.
struct SteadyProperties: Encodable, Hashable {
    private let content: Record.Content
    private let kind: Record.Kind
    private let isTimeTrusted: Bool
    private let isMoving: Bool
    private let trip: Int?
    private let tag: String?
    private let vehicle: String?
    private let driver: String?
    private let regions: [RegionName]?
    private let trigger: Record.Trigger?
    private let solution: Fix.Solution?
    private let ignition: Bool?

    init(_ record: Record) {
        (content, kind) = (record.content, record.kind)
        (isTimeTrusted, isMoving) = (record.isTimeTrusted, record.isMoving)
        (trip, tag, vehicle, driver) = (record.trip, record.tag, record.vehicle, record.driver)
        (regions, trigger, ignition) = (record.regions, record.trigger, record.ignition)
        solution = record.position?.solution
    }

    private enum CodingKeys: CodingKey {
        case kind, timeTrusted, moving, trip, tag, vehicle, driver, regions, trigger, payload, solution, ignition
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(isTimeTrusted, forKey: .timeTrusted)
        try container.encode(isMoving, forKey: .moving)
        try container.encodeIfPresent(trip, forKey: .trip)
        try container.encodeIfPresent(tag, forKey: .tag)
        try container.encodeIfPresent(vehicle, forKey: .vehicle)
        try container.encodeIfPresent(driver, forKey: .driver)
        try container.encodeIfPresent(regions, forKey: .regions)
        try container.encodeIfPresent(trigger?.rawValue, forKey: .trigger)
        try container.encodeIfPresent(RecordPayload(content), forKey: .payload)
        try container.encodeIfPresent(solution?.rawValue, forKey: .solution)
        try container.encodeIfPresent(ignition, forKey: .ignition)
    }
}

/// A measured value of a record, as a property of a feature.
struct MeasuredProperty: Sendable {
    /// The name in docs/geojson.schema.json, which ends in the unit.
    let name: String
    /// The number of digits after the point, which is the precision of a good receiver or meter.
    let decimals: Int
    /// Returns the value; nil if it is unknown.
    let value: @Sendable (Record) -> Double?

    init(_ name: String, decimals: Int, _ value: @escaping @Sendable (Record) -> Double?) {
        (self.name, self.decimals, self.value) = (name, decimals, value)
    }

    /// The measured values of all formats that send complete records.
    static let all = [
        MeasuredProperty("odometer_m", decimals: 2) { $0.odometer.value },
        MeasuredProperty("accuracy_m", decimals: 2) { $0.position?.accuracy?.asError_m },
        MeasuredProperty("speed_mps", decimals: 2) { $0.position?.speed?.value },
        MeasuredProperty("course_deg", decimals: 1) { $0.position?.course?.value },
        MeasuredProperty("altitude_msl_m", decimals: 2) { $0.position?.altitude?.value },
        MeasuredProperty("vertical_accuracy_m", decimals: 2) { $0.position?.verticalAccuracy?.asError_m },
        MeasuredProperty("supply_V", decimals: 2) { $0.supply?.value },
    ]
}

extension Metres {
    /// An error in metres; from 1 m on, the number has one digit after the point.
    ///
    /// An error is an estimate. Further digits would be random, and random digits need the most bytes after compression.
    fileprivate var asError_m: Double { value < 1 ? value : value.rounded(decimals: 1) }
}

/// The name of a property as a coding key; every text is a valid key.
struct PropertyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
