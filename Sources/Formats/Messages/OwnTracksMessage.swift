internal import JSON
internal import Quantities
internal import Tracking

/// Booklet: tech/json.
enum OwnTracksMessage {
    case location(LocationMessage)
    case transition([String: JSONValue])
    case waypoint([String: JSONValue])
    case status([String: JSONValue])

    /// Nil if OwnTracks has no message for the record. Some HTTP servers take every message as a location, so not every
    /// server receives a status.
    init?(_ stored: StoredRecord, tid: String, mayBeStatus: Bool) {
        if let message = OwnTracksMessage(stored, tid: tid) {
            self = message
        } else {
            guard mayBeStatus, let status = StatusMessage.members(stored) else { return nil }
            self = .status(status)
        }
    }

    private init?(_ stored: StoredRecord, tid: String) {
        switch stored.record.content {
        case .location, .motionchange: self.init(stored, trigger: stored.record.trigger?.letter, tid: tid)
        case .visit: self.init(stored, trigger: "v", tid: tid)
        case .request: self.init(stored, trigger: "r", tid: tid)
        case .ping: self.init(stored, trigger: "p", tid: tid)
        case .driving(let event): self.init(stored, trigger: event.kind.trigger, tid: tid)
        case .transition(let transition):
            guard let message = TransitionMessage.members(stored, transition, tid: tid) else { return nil }
            self = .transition(message)
        case .waypoint(let waypoint):
            guard waypoint.coordinate != nil || waypoint.beacon != nil else { return nil }
            self = .waypoint(WaypointMessage.members(stored, waypoint))
        case .power(let change, _):
            guard let trigger = change.trigger else { return nil }
            self.init(stored, trigger: trigger, tid: tid)
        // The change of the state has already shown where and when a trip began or ended.
        case .trip, .providerchange, .health, .optionschange, .order: return nil
        }
    }

    private init?(_ stored: StoredRecord, trigger: String?, tid: String) {
        guard let position = stored.record.position else { return nil }
        self = .location(LocationMessage(stored: stored, position: position, trigger: trigger, tid: tid))
    }

    /// Follows the base topic, which usually is `owntracks/USER/DEVICE`.
    var topicSuffix: String {
        switch self {
        case .location: ""
        case .transition: "/event"
        case .waypoint: "/waypoint"
        case .status: "/status"
        }
    }

    var isRetainable: Bool {
        switch self {
        case .location: true
        case .transition, .waypoint, .status: false
        }
    }

    func body(topic: String?) -> [UInt8]? {
        switch self {
        case .location(var message):
            message.topic = topic
            return message.body
        case .transition(var members), .waypoint(var members), .status(var members):
            members["topic"] = topic.map(JSONValue.text)
            return JSONValue.object(members).encoded
        }
    }
}

extension Record.Trigger {
    fileprivate var letter: String? {
        switch self {
        case .region: "c"
        case .beacon: "b"
        case .follow: "C"
        case .movedUnseen: nil
        }
    }
}

extension DrivingEvent.Kind {
    /// The letter of the trigger as in the booklet, which uses Queclink's letters.
    fileprivate var trigger: String? {
        switch self {
        case .braking, .acceleration, .cornering, .impact: "h"
        case .tow: "!"
        case .overspeed: "s"
        case .overspeedEnded: nil
        }
    }
}

extension PowerChange {
    /// Queclink's letter.
    fileprivate var trigger: String? {
        switch self {
        case .started: "1"
        case .supplyLost: "e"
        case .supplyLow: "9"
        case .supplyBack: "E"
        case .ignitionOn: "i"
        case .ignitionOff: "I"
        case .shutdown: nil
        }
    }
}

/// Booklet: tech/json, `_type=transition`.
enum TransitionMessage {
    /// Nil if there is no position, and for a dwell, which OwnTracks does not have.
    static func members(_ stored: StoredRecord, _ transition: Transition, tid: String) -> [String: JSONValue]? {
        guard let position = stored.record.position else { return nil }
        let event: String
        switch transition.direction {
        case .enter: event = "enter"
        case .leave: event = "leave"
        case .dwell: return nil
        }
        return [
            "_type": .text("transition"),
            "_id": .text(stored.uuid),
            "tid": .text(tid),
            "event": .text(event),
            "desc": .text(orNull: transition.text),
            "rid": .text(transition.region.id),
            "wtst": .integer(transition.defined.seconds),
            "lat": .number(position.coordinate.latitude, decimals: 7),
            "lon": .number(position.coordinate.longitude, decimals: 7),
            "tst": .integer(stored.record.time.seconds),
            // The key is required; 0 means "unknown".
            "acc": .integer(Int64(position.accuracy?.wholeMetres ?? 0)),
            "t": .text(transition.trigger == .beacon ? "b" : "c"),
        ].withoutNull
    }
}

/// Booklet: tech/json, `_type=waypoint`.
enum WaypointMessage {
    static func members(_ stored: StoredRecord, _ waypoint: Waypoint) -> [String: JSONValue] {
        [
            "_type": .text("waypoint"),
            "_id": .text(stored.uuid),
            "desc": .text(waypoint.text),
            "lat": .number(waypoint.coordinate?.latitude, decimals: 7),
            "lon": .number(waypoint.coordinate?.longitude, decimals: 7),
            // Home Assistant requires the key; 0 means that the waypoint has no border.
            "rad": .integer(Int64(waypoint.radius?.value.wholeNumber ?? 0)),
            "uuid": .text(orNull: waypoint.beacon?.uuid),
            // In the message, 0 means any number.
            "major": .integer(orNull: waypoint.beacon.map { $0.major ?? 0 }),
            "minor": .integer(orNull: waypoint.beacon.map { $0.minor ?? 0 }),
            "rid": .text(orNull: waypoint.id),
            "tst": .integer(waypoint.defined.seconds),
        ].withoutNull
    }
}

/// The tracker's condition, its options or the answer to an order, in a block for Linux (booklet: tech/json, `status`).
enum StatusMessage {
    static func members(_ stored: StoredRecord) -> [String: JSONValue]? {
        let record = stored.record
        switch record.kind {
        case .providerchange, .power, .health, .optionschange, .order: break
        case .location, .motionchange, .visit, .transition, .waypoint, .trip, .request, .ping, .driving: return nil
        }
        guard let payload = RecordPayload.json(of: record.content) else { return nil }
        return [
            "_type": .text("status"),
            "_id": .text(stored.uuid),
            "tst": .integer(record.time.seconds),
            // The kind of the record, and its fields as in docs/geojson.schema.json.
            "linux": .object([record.kind.rawValue: payload]),
        ]
    }
}

/// The answer to the command `waypoints` (booklet: tech/json, `waypoints`).
enum WaypointsMessage {
    /// Nil for another order, another target's server, or an answer without a list.
    static func members(_ stored: StoredRecord, for sender: Sender) -> [String: JSONValue]? {
        guard case .order(let report) = stored.record.content, report.request == "waypoints",
            report.target == sender.target, case .list(let list)? = report.data.flatMap(JSONValue.init(json:))
        else { return nil }
        return [
            "_type": .text("waypoints"), "_id": .text(stored.uuid),
            "waypoints": .list(list.compactMap(\.members).map { .object(waypoint($0)) }),
        ]
    }

    /// Converts a waypoint of docs/control.md, whose keys are already those of OwnTracks.
    private static func waypoint(_ members: [String: JSONValue]) -> [String: JSONValue] {
        let whole = ["desc", "rid", "tst", "uuid"].map { ($0, members[$0] ?? .null) }
        let degrees = ["lat", "lon"].map { ($0, JSONValue.number(members[$0]?.double, decimals: 7)) }
        var waypoint = Dictionary(uniqueKeysWithValues: whole + degrees).withoutNull
        waypoint["_type"] = .text("waypoint")
        // Home Assistant requires the key; 0 means that the waypoint has no border.
        waypoint["rad"] = .integer(Int64(members["rad"]?.double?.wholeNumber ?? 0))
        guard waypoint["uuid"] != nil else { return waypoint }
        // In the message, 0 means any number.
        for key in ["major", "minor"] { waypoint[key] = members[key] ?? .integer(0) }
        return waypoint
    }

    static let topicSuffix = "/waypoints"
}
