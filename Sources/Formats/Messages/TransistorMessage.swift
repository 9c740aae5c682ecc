internal import JSON
internal import Quantities
internal import Tracking

/// A location of Background Geolocation; most unknown numbers are -1, and an unknown altitude is left out.
struct TransistorMessage {
    private let stored: StoredRecord
    private let position: Position
    private var record: Record { stored.record }

    init?(_ stored: StoredRecord) {
        guard let position = stored.record.position else { return nil }
        (self.stored, self.position) = (stored, position)
    }

    /// `extras` are the owner's additional members.
    func json(extras: [String: JSONValue]) -> JSONValue {
        let members: [String: JSONValue] = [
            "uuid": .text(stored.uuid),
            "timestamp": .text(record.time.description),
            "recorded_at": .text(stored.created.description),
            "age": .integer(age_ms),
            "event": .text(orNull: event),
            "is_moving": .flag(record.isMoving),
            "odometer": .number(record.odometer.value, decimals: 2),
            "mock": position.solution == .simulated ? .flag(true) : .null,
            "coords": .object(coordinates.withoutNull),
            "activity": .object(["type": .text(activity), "confidence": .integer(Self.confidence)]),
            // A tracker in a vehicle has no battery that could run down.
            "battery": .object(["level": .integer(-1), "is_charging": .flag(false)]),
            "geofence": geofence ?? .null,
            "extras": extras.isEmpty ? .null : .object(extras),
        ]
        return .object(members.withoutNull)
    }

    /// The time from the event until the record was written.
    private var age_ms: Int64 {
        let (age, overflows) = stored.created.milliseconds.subtractingReportingOverflow(record.time.milliseconds)
        return overflows ? 0 : max(0, age)
    }

    private var coordinates: [String: JSONValue] {
        [
            "latitude": .number(position.coordinate.latitude, decimals: 7),
            "longitude": .number(position.coordinate.longitude, decimals: 7),
            "accuracy": .number(position.accuracy?.value ?? -1, decimals: 2),
            "speed": .number(position.speed?.value ?? -1, decimals: 2),
            "speed_accuracy": .integer(-1),
            "heading": .number(position.course?.value ?? -1, decimals: 1),
            "heading_accuracy": .integer(-1),
            "altitude": .number(position.altitude?.value, decimals: 2),
            "ellipsoidal_altitude": .number(position.ellipsoidAltitude?.value, decimals: 2),
            "altitude_accuracy": .number(position.verticalAccuracy?.value ?? -1, decimals: 2),
        ]
    }

    private var geofence: JSONValue? {
        guard case .transition(let transition) = record.content else { return nil }
        let action =
            switch transition.direction {
            case .enter: "ENTER"
            case .leave: "EXIT"
            case .dwell: "DWELL"
            }
        return .object(["identifier": .text(transition.text ?? transition.region.id), "action": .text(action)])
    }

    private var event: String? {
        switch record.kind {
        case .motionchange: "motionchange"
        case .transition: "geofence"
        case .ping: "heartbeat"
        case .providerchange: "providerchange"
        case .location, .visit, .waypoint, .trip, .request, .power, .health, .optionschange, .driving, .order: nil
        }
    }

    private var activity: String { record.isMoving ? "in_vehicle" : "still" }
    /// In percent. The only activities are moving and parked, both without uncertainty.
    private static let confidence: Int64 = 100

    static let tags = [
        "latitude", "longitude", "speed", "heading", "accuracy", "altitude", "altitude_accuracy", "timestamp", "uuid",
        "event", "odometer", "activity.type", "activity.confidence", "battery.level", "battery.is_charging", "mock",
        "is_moving", "geofence.identifier", "geofence.action",
    ]

    func value(ofTag tag: String) -> JSONValue {
        let whole = json(extras: [:]).members ?? [:]
        switch tag {
        case "latitude", "longitude", "speed", "heading", "accuracy", "altitude", "altitude_accuracy":
            return coordinates[tag] ?? .null
        case "mock": return .flag(position.solution == .simulated)
        case "event": return .text(event ?? "")
        default:
            var found: JSONValue? = .object(whole)
            for key in tag.split(separator: ".") { found = found?.members?[String(key)] }
            return found ?? .null
        }
    }
}

/// A template with tags such as `<%= latitude %>`.
package struct TransistorTemplate: Sendable, Hashable {
    private let text: PlaceholderText

    /// Throws if a tag is unknown or has no end, or if the result would not be JSON.
    package init(_ template: String) throws(TemplateError) {
        text = try PlaceholderReader.tags(template, known: TransistorMessage.tags)
        guard text.isJSON else {
            throw TemplateError(
                description:
                    "the template is not JSON after the values are inserted. Check its quotes, commas and brackets.")
        }
    }

    /// Nil if the result is not JSON. `extras` join an object, or end a list.
    func render(_ message: TransistorMessage, extras: [String: JSONValue]) -> JSONValue? {
        let value = JSONValue(json: text.render(message.value(ofTag:)))
        guard !extras.isEmpty else { return value }
        return switch value {
        case .object(let members): .object(members.merging(extras) { $1 })
        case .list(let elements): .list(elements + [.object(extras)])
        case let other: other
        }
    }
}
