internal import JSON
internal import Quantities
internal import Tracking

struct Feature {
    let stored: StoredRecord
    let device: String
}

/// The names are those of docs/geojson.schema.json.
typealias FeatureProperty = JSONMember<Feature>

extension FeatureProperty {
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
    /// True if the record was created before its own time, or at least 2 s after it; a feature then has both times. The
    /// limit is 2 s because at a bend the previous fix is also recorded, when it is already one to two seconds old.
    fileprivate var isCreatedLater: Bool { !(Duration.zero..<Duration.seconds(2)).contains(created - record.time) }
}

struct MeasuredProperty: Sendable {
    /// The name as in docs/geojson.schema.json, with the unit at its end.
    let name: String
    /// The precision of a good receiver or meter.
    let decimals: Int
    let value: @Sendable (Record) -> Double?

    init(_ name: String, decimals: Int, _ value: @escaping @Sendable (Record) -> Double?) {
        (self.name, self.decimals, self.value) = (name, decimals, value)
    }

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
    /// Rounds to one decimal from 1 m on, because an error is an estimate, and random digits cost most after compression.
    fileprivate var asError_m: Double { value < 1 ? value : value.rounded(decimals: 1) }
}
