internal import JSON
internal import Quantities
internal import Tracking

/// A position of the OsmAnd protocol, with Traccar's names of attributes (Position.java).
struct TraccarMessage {
    private let device: String
    private let stored: StoredRecord
    private var record: Record { stored.record }
    private var position: Position? { record.position }

    init(_ stored: StoredRecord, device: String) {
        (self.stored, self.device) = (stored, device)
    }

    /// The members have a fixed order.
    var query: String {
        (parameters + attributes).filter { $0.value != .null }
            .map { "\($0.key)=\(URLText.encode($0.value.plainText))" }.joined(separator: "&")
    }

    /// The time in milliseconds if possible: Traccar reads numbers below `Int32.max` (in milliseconds, 25 January 1970)
    /// as seconds.
    private var time: Int64 {
        let milliseconds = record.time.milliseconds
        return milliseconds > Int64(Int32.max) ? milliseconds : record.time.seconds
    }

    private var parameters: [(key: String, value: JSONValue)] {
        let knots = position?.speed.map { $0.value / Self.metresPerSecondInAKnot }
        return [
            ("id", .text(device)),
            ("timestamp", .integer(time)),
            // If the coordinates are missing, the server uses the last coordinates that it has received.
            ("lat", .number(position?.coordinate.latitude, decimals: 7)),
            ("lon", .number(position?.coordinate.longitude, decimals: 7)),
            ("speed", .number(knots, decimals: 3)),
            ("bearing", .number(position?.course?.value, decimals: 1)),
            ("altitude", .number(position?.altitude?.value, decimals: 1)),
            ("accuracy", .number(position?.accuracy?.value, decimals: 1)),
            ("odometer", .number(record.odometer.value, decimals: 0)),
            ("motion", .flag(record.isMoving)),
            ("event", .text(orNull: event)),
            ("alarm", .text(orNull: alarm)),
        ]
    }

    private static let metresPerSecondInAKnot = 1852.0 / 3600

    private var attributes: [(key: String, value: JSONValue)] {
        [
            ("ignition", .flag(orNull: record.ignition)),
            ("power", .number(record.supply?.value, decimals: 2)),
            ("sat", position?.satellites.map { .integer(Int64($0)) } ?? .null),
            ("driverUniqueId", .text(orNull: record.driver)),
            ("vehicle", .text(orNull: record.vehicle)),
            ("region", .text(orNull: record.content.regionText)),
            ("trip", record.trip.map { .integer(Int64($0)) } ?? .null),
            ("tag", .text(orNull: record.tag)),
            ("uuid", .text(stored.uuid)),
        ]
    }

    /// All six numbers of `coords` are required: -1 is an unknown speed or course, 0 an unknown altitude or error.
    var json: JSONValue {
        let coordinates = position.map { position -> JSONValue in
            .object([
                "latitude": .number(position.coordinate.latitude, decimals: 7),
                "longitude": .number(position.coordinate.longitude, decimals: 7),
                "speed": .number(position.speed?.value ?? -1, decimals: 2),
                "heading": .number(position.course?.value ?? -1, decimals: 1),
                "accuracy": .number(position.accuracy?.value ?? 0, decimals: 1),
                "altitude": .number(position.altitude?.value ?? 0, decimals: 1),
            ])
        }
        let location: [String: JSONValue] = [
            "timestamp": .text(record.time.description),
            "event": .text(orNull: event),
            "alarm": .text(orNull: alarm),
            "is_moving": .flag(record.isMoving),
            // The server reads the odometer as a 32-bit integer.
            "odometer": .integer(Int64(min(record.odometer.value.rounded(), Double(Int32.max)))),
            "mock": position?.solution == .simulated ? .flag(true) : .null,
            "coords": coordinates ?? .null,
            "extras": .object(Dictionary(attributes.map { ($0.key, $0.value) }) { $1 }.withoutNull),
        ]
        return .object(["device_id": .text(device), "location": .object(location.withoutNull)])
    }

    private var event: String? {
        switch record.kind {
        case .location: nil
        case .transition, .driving, .power, .providerchange, .health: record.event
        case .motionchange: record.trigger == .movedUnseen ? record.event : record.kind.rawValue
        case .visit, .waypoint, .trip, .request, .ping, .optionschange, .order: record.kind.rawValue
        }
    }

    private var alarm: String? {
        switch record.content {
        case .driving(let event): Self.alarm(event.kind)
        case .power(.supplyLost, _): "powerCut"
        case .power(.supplyBack, _): "powerRestored"
        case .power(.supplyLow, _): "lowPower"
        case .transition(let transition):
            switch transition.direction {
            case .enter: "geofenceEnter"
            case .leave: "geofenceExit"
            case .dwell: nil
            }
        case .power(.started, _), .power(.shutdown, _), .power(.ignitionOn, _), .power(.ignitionOff, _): nil
        case .motionchange: record.trigger == .movedUnseen ? "movement" : nil
        case .providerchange(let change): change.state == .jammed ? "jamming" : nil
        case .location, .visit, .waypoint, .trip, .request, .ping, .health, .optionschange, .order: nil
        }
    }

    private static func alarm(_ kind: DrivingEvent.Kind) -> String? {
        switch kind {
        case .braking: "hardBraking"
        case .acceleration: "hardAcceleration"
        case .cornering: "hardCornering"
        case .impact: "accident"
        case .tow: "tow"
        case .overspeed: "overspeed"
        case .overspeedEnded: nil
        }
    }
}

package enum URLText {
    /// Only RFC 3986's unreserved characters stay, so the result is valid in a path, a query and a form.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(Character(UnicodeScalar(byte)))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
