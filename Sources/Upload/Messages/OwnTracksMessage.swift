internal import Quantities
internal import Tracking
internal import TrackingOptions

/// A record as a message of OwnTracks (booklet: tech/json).
enum OwnTracksMessage {
    case location(LocationMessage)
    case transition(TransitionMessage)
    case waypoint(WaypointMessage)
    case status(StatusMessage)

    /// Converts a record; nil if OwnTracks has no message for it.
    ///
    /// Not every server may receive a status, because some HTTP servers interpret every message as a location.
    init?(_ stored: StoredRecord, tid: String, mayBeStatus: Bool) {
        if let message = OwnTracksMessage(stored, tid: tid) {
            self = message
        } else {
            guard mayBeStatus, let status = StatusMessage(stored) else { return nil }
            self = .status(status)
        }
    }

    private init?(_ stored: StoredRecord, tid: String) {
        switch stored.record.content {
        case .location, .motionchange, .trip: self.init(stored, trigger: stored.record.trigger?.letter, tid: tid)
        case .visit: self.init(stored, trigger: "v", tid: tid)
        case .request: self.init(stored, trigger: "r", tid: tid)
        case .ping: self.init(stored, trigger: "p", tid: tid)
        case .driving(let event): self.init(stored, trigger: event.kind.trigger, tid: tid)
        case .transition(let transition):
            guard let message = TransitionMessage(stored, transition, tid: tid) else { return nil }
            self = .transition(message)
        case .waypoint(let waypoint):
            guard waypoint.coordinate != nil || waypoint.beacon != nil else { return nil }
            self = .waypoint(WaypointMessage(stored, waypoint))
        case .power(let change, _):
            guard let trigger = change.trigger else { return nil }
            self.init(stored, trigger: trigger, tid: tid)
        case .providerchange, .health, .optionschange, .order: return nil
        }
    }

    private init?(_ stored: StoredRecord, trigger: String?, tid: String) {
        guard let position = stored.record.position else { return nil }
        self = .location(LocationMessage(stored: stored, position: position, trigger: trigger, tid: tid))
    }

    /// The part of the topic after the target's base topic, usually `owntracks/USER/DEVICE`.
    var topicSuffix: String {
        switch self {
        case .location: ""
        case .transition: "/event"
        case .waypoint: "/waypoint"
        case .status: "/status"
        }
    }

    /// Whether a broker may retain the message for later subscribers.
    var isRetainable: Bool {
        switch self {
        case .location: true
        case .transition, .waypoint, .status: false
        }
    }

    /// Returns the message as JSON; over HTTP the topic is part of the JSON.
    func body(topic: String?) -> [UInt8]? {
        switch self {
        case .location(var message):
            message.topic = topic
            return message.body
        case .transition(var message):
            message.topic = topic
            return JSONBytes.encode(message)
        case .waypoint(var message):
            message.topic = topic
            return JSONBytes.encode(message)
        case .status(var message):
            message.topic = topic
            return JSONBytes.encode(message)
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
    /// The letter for this event, as in the booklet, which uses the letters of Queclink's devices; nil if no letter exists.
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
    /// The letter of Queclink's devices; nil if they have no letter for the event.
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

struct TransitionMessage: Encodable {
    let _type = "transition"
    let _id: String
    var topic: String?
    let tid: String
    let event: String
    let desc: String?
    let rid: String
    let wtst: Int64
    let lat: Double
    let lon: Double
    let tst: Int64
    let acc: Int
    let t: String

    enum CodingKeys: CodingKey { case _type, _id, topic, tid, event, desc, rid, wtst, lat, lon, tst, acc, t }

    init?(_ stored: StoredRecord, _ transition: Transition, tid: String) {
        guard let position = stored.record.position else { return nil }
        switch transition.direction {
        case .enter: event = "enter"
        case .leave: event = "leave"
        // OwnTracks has no event for a dwell.
        case .dwell: return nil
        }
        switch transition.trigger {
        case .area: t = "c"
        case .beacon: t = "b"
        }
        _id = stored.uuid
        self.tid = tid
        desc = transition.text
        rid = transition.region.id
        wtst = transition.defined.seconds
        lat = position.coordinate.latitude.rounded(decimals: 7)
        lon = position.coordinate.longitude.rounded(decimals: 7)
        tst = stored.record.time.seconds
        // The key is required; 0 means "unknown".
        acc = position.accuracy?.wholeMetres ?? 0
    }
}

struct WaypointMessage: Encodable {
    let _type = "waypoint"
    let _id: String
    var topic: String?
    let desc: String
    let lat: Double?
    let lon: Double?
    let rad: Int
    let uuid: String?
    let major: UInt16?
    let minor: UInt16?
    let rid: String?
    let tst: Int64

    enum CodingKeys: CodingKey { case _type, _id, topic, desc, lat, lon, rad, uuid, major, minor, rid, tst }

    init(_ stored: StoredRecord, _ waypoint: Waypoint) {
        _id = stored.uuid
        desc = waypoint.text
        lat = waypoint.coordinate?.latitude.rounded(decimals: 7)
        lon = waypoint.coordinate?.longitude.rounded(decimals: 7)
        // Home Assistant requires the key; 0 means that the waypoint has no border.
        rad = waypoint.radius?.value.wholeNumber ?? 0
        uuid = waypoint.beacon?.uuid
        // In the message, 0 means any number.
        major = waypoint.beacon.map { $0.major ?? 0 }
        minor = waypoint.beacon.map { $0.minor ?? 0 }
        rid = waypoint.id
        tst = waypoint.defined.seconds
    }
}
