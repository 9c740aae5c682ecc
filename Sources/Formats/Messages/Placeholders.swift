internal import JSON
internal import Quantities
internal import Tracking

struct Placeholder: Sendable {
    /// Ends with the unit, if there is one.
    let name: String
    let value: @Sendable (StoredRecord, Sender) -> JSONValue

    private init(_ name: String, _ value: @escaping @Sendable (StoredRecord, Sender) -> JSONValue) {
        (self.name, self.value) = (name, value)
    }

    private init(_ name: String, decimals: Int, _ value: @escaping @Sendable (Record) -> Double?) {
        self.init(name) { stored, _ in .number(value(stored.record), decimals: decimals) }
    }

    static func named(_ name: String) -> Placeholder? { all.first { $0.name == name } }

    /// docs/formats.md describes them.
    static let all: [Placeholder] = identity + times + positions + states

    private static let identity = [
        Placeholder("device") { .text($1.device) },
        Placeholder("user") { .text($1.user) },
        Placeholder("tid") { .text($1.trackerID) },
        Placeholder("uuid") { stored, _ in .text(stored.uuid) },
        Placeholder("sequence") { stored, _ in .integer(stored.sequence) },
        Placeholder("kind") { stored, _ in .text(stored.record.kind.rawValue) },
        Placeholder("event") { stored, _ in .text(orNull: stored.record.event) },
        Placeholder("trigger") { stored, _ in .text(orNull: stored.record.trigger?.rawValue) },
    ]

    private static let times = [
        Placeholder("time") { stored, _ in .text(stored.record.time.description) },
        Placeholder("time_s") { stored, _ in .integer(stored.record.time.seconds) },
        Placeholder("time_ms") { stored, _ in .integer(stored.record.time.milliseconds) },
        Placeholder("created") { stored, _ in .text(stored.created.description) },
    ]

    private static let positions = [
        Placeholder("lat", decimals: 7) { $0.position?.coordinate.latitude },
        Placeholder("lon", decimals: 7) { $0.position?.coordinate.longitude },
        Placeholder("accuracy_m", decimals: 2) { $0.position?.accuracy?.value },
        Placeholder("speed_mps", decimals: 2) { $0.position?.speed?.value },
        Placeholder("speed_kmh", decimals: 2) { $0.position?.speed.map { $0.value * 3.6 } },
        // 1 knot is 1852 m per hour, and 1 mile is 1609.344 m.
        Placeholder("speed_kn", decimals: 2) { $0.position?.speed.map { $0.value * 3600 / 1852 } },
        Placeholder("speed_mph", decimals: 2) { $0.position?.speed.map { $0.value * 3600 / 1609.344 } },
        Placeholder("course_deg", decimals: 1) { $0.position?.course?.value },
        Placeholder("altitude_msl_m", decimals: 2) { $0.position?.altitude?.value },
        Placeholder("altitude_ellipsoid_m", decimals: 2) { $0.position?.ellipsoidAltitude?.value },
        Placeholder("vertical_accuracy_m", decimals: 2) { $0.position?.verticalAccuracy?.value },
        Placeholder("satellites", decimals: 0) { $0.position?.satellites.map(Double.init) },
    ]

    private static let states = [
        Placeholder("odometer_m", decimals: 2) { $0.odometer.value },
        Placeholder("odometer_km", decimals: 3) { $0.odometer.value / 1000 },
        Placeholder("moving") { stored, _ in .flag(stored.record.isMoving) },
        Placeholder("ignition") { stored, _ in .flag(orNull: stored.record.ignition) },
        Placeholder("supply_V", decimals: 2) { $0.supply?.value },
        Placeholder("trip", decimals: 0) { $0.trip.map(Double.init) },
        Placeholder("tag") { stored, _ in .text(orNull: stored.record.tag) },
        Placeholder("vehicle") { stored, _ in .text(orNull: stored.record.vehicle) },
        Placeholder("driver") { stored, _ in .text(orNull: stored.record.driver) },
        Placeholder("region") { stored, _ in .text(orNull: stored.record.content.regionText) },
        Placeholder("speed_limit_kmh", decimals: 2) { $0.content.driving?.limit.map { $0.value * 3.6 } },
        Placeholder("top_speed_kmh", decimals: 2) { $0.content.driving?.topSpeed.map { $0.value * 3.6 } },
        Placeholder("lasted_s", decimals: 1) { $0.content.driving?.lasted.inSeconds },
    ]
}

extension Record.Content {
    /// Nil if the region is not shared, and for records without a region.
    var regionText: String? {
        if case .transition(let transition) = self { transition.text } else { nil }
    }

    fileprivate var driving: DrivingEvent? {
        if case .driving(let event) = self { event } else { nil }
    }
}
