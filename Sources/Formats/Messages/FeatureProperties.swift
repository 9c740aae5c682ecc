internal import JSON
internal import Quantities
internal import Tracking

struct Feature {
    let stored: StoredRecord
    let device: String
}

/// A property of a feature, with its name in docs/geojson.schema.json.
typealias FeatureProperty = JSONMember<Feature>

extension FeatureProperty {
    /// All properties, in the order of their names.
    static let all = (own + measured).sorted { $0.key < $1.key }

    private static let own = [
        FeatureProperty("uuid") { .text($0.stored.uuid) },
        FeatureProperty("sequence") { .integer($0.stored.sequence) },
        FeatureProperty("device") { .text($0.device) },
        FeatureProperty("time") { .text($0.stored.record.time.description) },
        FeatureProperty("created") { $0.stored.isCreatedLater ? .text($0.stored.created.description) : nil },
        FeatureProperty("satellites") { Value($0.stored.record.position?.satellites) },
        FeatureProperty("kind") { .text($0.stored.record.kind.rawValue) },
        FeatureProperty("timeTrusted") { .flag($0.stored.record.isTimeTrusted) },
        FeatureProperty("moving") { .flag($0.stored.record.isMoving) },
        FeatureProperty("trip") { Value($0.stored.record.trip) },
        FeatureProperty("tag") { Value($0.stored.record.tag) },
        FeatureProperty("vehicle") { Value($0.stored.record.vehicle) },
        FeatureProperty("driver") { Value($0.stored.record.driver) },
        FeatureProperty("regions") { $0.stored.record.regions.map { .json(.list($0.map(\.json))) } },
        FeatureProperty("trigger") { Value($0.stored.record.trigger?.rawValue) },
        FeatureProperty("payload") { RecordPayload.json(of: $0.stored.record.content).map { .json($0) } },
        FeatureProperty("solution") { Value($0.stored.record.position?.solution?.rawValue) },
        FeatureProperty("ignition") { Value($0.stored.record.ignition) },
    ]

    private static let measured = MeasuredProperty.all.map { property in
        FeatureProperty(JSONKey(property.name)) { feature in
            property.value(feature.stored.record).map { .number($0, decimals: property.decimals) }
        }
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
