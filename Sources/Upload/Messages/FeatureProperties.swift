import QuickJSON
internal import Quantities
internal import Tracking

/// A property of a feature, with its name in docs/geojson.schema.json.
struct FeatureProperty: Sendable {
    /// The value of a property.
    enum Value {
        case text(String)
        case flag(Bool)
        case integer(Int64)
        /// The feature contains the number rounded to `decimals` digits after the point.
        case number(Double, decimals: Int)
        /// A value that `QuickEncoder` encodes.
        case object(any Encodable)
    }

    /// The name.
    let key: JSONKey
    /// Returns the value in a record of a device; nil if the record has none.
    let value: @Sendable (_ stored: StoredRecord, _ device: String) -> Value?

    private init(_ key: JSONKey, _ value: @escaping @Sendable (StoredRecord, String) -> Value?) {
        (self.key, self.value) = (key, value)
    }

    private init(_ key: JSONKey, _ value: @escaping @Sendable (Record) -> Value?) {
        self.init(key) { stored, _ in value(stored.record) }
    }

    /// All properties, in the order of their names.
    static let all = (own + steady + measured).sorted { $0.key < $1.key }

    /// The properties that usually stay the same for many records, in the order of their names.
    static let steady = [
        FeatureProperty("kind") { .text($0.kind.rawValue) },
        FeatureProperty("timeTrusted") { .flag($0.isTimeTrusted) },
        FeatureProperty("moving") { .flag($0.isMoving) },
        FeatureProperty("trip") { $0.trip.map { .integer(Int64($0)) } },
        FeatureProperty("tag") { $0.tag.map { .text($0) } },
        FeatureProperty("vehicle") { $0.vehicle.map { .text($0) } },
        FeatureProperty("driver") { $0.driver.map { .text($0) } },
        FeatureProperty("regions") { $0.regions.map { .object($0) } },
        FeatureProperty("trigger") { ($0.trigger?.rawValue).map { .text($0) } },
        FeatureProperty("payload") { RecordPayload($0.content).map { .object($0) } },
        FeatureProperty("solution") { ($0.position?.solution?.rawValue).map { .text($0) } },
        FeatureProperty("ignition") { $0.ignition.map { .flag($0) } },
    ].sorted { $0.key < $1.key }

    /// The properties that differ from record to record, without the measured values.
    private static let own = [
        FeatureProperty("uuid") { stored, _ in .text(stored.uuid) },
        FeatureProperty("sequence") { stored, _ in .integer(stored.sequence) },
        FeatureProperty("device") { _, device in .text(device) },
        FeatureProperty("time") { .text($0.time.description) },
        FeatureProperty("created") { stored, _ in
            stored.isCreatedLater ? .text(stored.created.description) : nil
        },
        FeatureProperty("satellites") { ($0.position?.satellites).map { .integer(Int64($0)) } },
    ]

    private static let measured = MeasuredProperty.all.map { property in
        FeatureProperty(JSONKey(property.name)) { record in
            property.value(record).map { .number($0, decimals: property.decimals) }
        }
    }
}

extension JSONWriter {
    /// Writes properties of a record as an object; throws an error if a number is not finite.
    mutating func write(_ properties: [FeatureProperty], of stored: StoredRecord, device: String) throws {
        beginObject()
        for property in properties {
            guard let value = property.value(stored, device) else { continue }
            write(key: property.key)
            switch value {
            case .text(let text): write(text)
            case .flag(let flag): write(flag)
            case .integer(let number): write(number)
            case .number(let number, let decimals): try write(number, decimals: decimals)
            case .object(let object): try write(encoding: object)
            }
        }
        endObject()
    }
}

extension StoredRecord {
    /// Whether the time of creation is before the record's time, or at least 2 s after it; if so, a feature states both times.
    ///
    /// At a turn the tracker records the last fix before the turn. The time of such a record is one to two seconds before its
    /// creation.
    fileprivate var isCreatedLater: Bool { !(Duration.zero..<Duration.seconds(2)).contains(created - record.time) }
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
