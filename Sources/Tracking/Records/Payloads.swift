package import Quantities

package struct ProviderChange: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The receiver reports again after a loss, even without a fix; has a fix again after a failed search; or can be
        /// switched again.
        case available
        case silent
        case frozen
        case noFix
        /// The program cannot set a line that switches the receiver; the receiver may remain on or off.
        case unswitchable
        /// The receiver has measured jamming for a minute.
        case jammed
        /// The receiver has measured no jamming for a minute after it was jammed.
        case jammingEnded
    }

    package var state: State
    /// The level of jamming, from 0 (none) to 255; nil for a change that does not concern jamming.
    package var jamming: Int?

    package init(_ state: State, jamming: Int? = nil) { (self.state, self.jamming) = (state, jamming) }
}

package enum PowerChange: String, Sendable, Hashable, Codable, CaseIterable {
    case started, shutdown, supplyLost, supplyLow, supplyBack, ignitionOn, ignitionOff
}

package struct OptionsChange: Sendable, Hashable, Codable {
    /// The origin of the change, such as `mode` or `remote`.
    package var origin: String
    package var keys: [String]
    /// Why the change was rejected; always nil, because the engine records only accepted changes.
    package var refusal: String?

    package init(origin: String, keys: [String] = [], refusal: String? = nil) {
        self.origin = origin
        self.keys = keys
        self.refusal = refusal
    }
}

package struct DrivingEvent: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case braking, acceleration, cornering, impact, tow
        /// The vehicle drives faster than the option `speedLimit` allows, or no longer does.
        case overspeed, overspeedEnded
    }

    package var kind: Kind
    /// The strongest acceleration during the event; nil for a tow and for overspeed.
    package var peak: Acceleration?
    /// For `overspeed`, the duration so far.
    package var lasted: Duration
    /// The highest speed so far; nil for events other than overspeed.
    package var topSpeed: MetresPerSecond?
    /// Nil for events other than overspeed.
    package var limit: MetresPerSecond?

    package init(
        _ kind: Kind, peak: Acceleration?, lasted: Duration, topSpeed: MetresPerSecond? = nil,
        limit: MetresPerSecond? = nil
    ) {
        self.kind = kind
        self.peak = peak
        self.lasted = lasted
        self.topSpeed = topSpeed
        self.limit = limit
    }
}

package struct Transition: Sendable, Hashable, Codable {
    package enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        case enter
        case leave
        /// The vehicle has been inside for as long as the region's options request.
        case dwell
    }

    package enum Trigger: String, Sendable, Hashable, Codable {
        case area
        case beacon
    }

    package var direction: Direction
    package var trigger: Trigger
    package var region: RegionName
    /// The description of the region in messages; nil if messages leave it out.
    package var text: String?
    /// OwnTracks uses this time as the region's key.
    package var defined: Timestamp
    /// Nil if the duration is unknown or the vehicle has not left.
    package var inside: Duration?
    /// The signal of the region's beacon; nil for a region with a border, for an exit, and without a sighting in the
    /// last 20 s.
    package var signal: BeaconReading?

    package init(
        _ direction: Direction, by trigger: Trigger, of region: RegionName, text: String?, defined: Timestamp,
        inside: Duration? = nil
    ) {
        self.direction = direction
        self.trigger = trigger
        self.region = region
        self.text = text
        self.defined = defined
        self.inside = inside
    }
}

package struct RegionName: Sendable, Hashable, Codable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The time that the vehicle is parked at one place.
package struct Visit: Sendable, Hashable, Codable {
    package var arrived: Timestamp
    /// Nil while the visit lasts.
    package var departed: Timestamp?

    package init(arrived: Timestamp, departed: Timestamp? = nil) {
        self.arrived = arrived
        self.departed = departed
    }
}

package struct RequestAnswer: Sendable, Hashable, Codable {
    package var action: ActionParameters?
    /// Why there is no location; nil if there is one.
    package var failure: String?
    package var took: Duration

    package init(action: ActionParameters?, failure: String? = nil, took: Duration) {
        self.action = action
        self.failure = failure
        self.took = took
    }
}

/// The names are those of GeoManager.
package struct ActionParameters: Sendable, Hashable, Codable {
    package var actionType: String?
    package var actionLog: String?
    package var actionId: String?
    /// The duration of the action, as text in the requester's own form.
    package var actionDuration: String?
    package var additionalLog: String?

    package init(
        actionType: String? = nil, actionLog: String? = nil, actionId: String? = nil, actionDuration: String? = nil,
        additionalLog: String? = nil
    ) {
        self.actionType = actionType
        self.actionLog = actionLog
        self.actionId = actionId
        self.actionDuration = actionDuration
        self.additionalLog = additionalLog
    }
}

package struct TripReport: Sendable, Hashable, Codable {
    /// Counted from 1; nil in a command that starts a trip.
    package var number: Int?
    /// The ID in the command that started the trip; nil without a command, or if the command had none.
    package var externalID: String?
    /// The metadata in the command that started the trip, ordered by key.
    package var metadata: [Entry] = []
    /// Nil at the start of the trip.
    package var summary: TripSummary?

    package struct Entry: Sendable, Hashable, Codable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    package init(number: Int? = nil, externalID: String? = nil, metadata: [Entry] = [], summary: TripSummary? = nil) {
        self.number = number
        self.externalID = externalID
        self.metadata = metadata
        self.summary = summary
    }
}

package struct TripSummary: Sendable, Hashable, Codable {
    package var start: Coordinate?
    package var end: Coordinate?
    package var started: Timestamp
    /// When the vehicle came to rest, or when a command or a private period ended the trip.
    package var ended: Timestamp
    package var distance = Metres.zero
    package var moving = Duration.zero
    package var idle = Duration.zero
    package var withoutFix = Duration.zero
    /// Only fixes that prove movement count; nil without such a fix.
    package var topSpeed: MetresPerSecond?
    package var records = 0
    /// The number of stops that did not end the trip.
    package var stops = 0

    package init(start: Coordinate?, started: Timestamp) {
        self.start = start
        self.started = started
        ended = started
    }
}
