package import Quantities

/// The receiver was lost or found, or cannot be switched.
package struct ProviderChange: Sendable, Hashable, Codable {
    /// What became of it.
    package enum State: String, Sendable, Hashable, Codable {
        /// It is heard and knows where it is.
        case available
        /// It is not heard.
        case silent
        /// It repeats itself.
        case frozen
        /// It is heard, but has no fix.
        case noFix
        /// A line by which it is switched cannot be set: it may be on all the time, or off.
        case unswitchable
    }

    /// What became of it.
    package var state: State

    /// Makes a change.
    package init(_ state: State) { self.state = state }
}

/// The supply, or the program itself, went or came.
package enum PowerChange: String, Sendable, Hashable, Codable, CaseIterable {
    case started, shutdown, supplyLost, supplyLow, supplyBack
}

/// The options changed, or a change was refused.
package struct OptionsChange: Sendable, Hashable, Codable {
    /// Who wanted it, such as `mode` or the name of a target.
    package var origin: String
    /// The keys whose values are different now.
    package var keys: [String]
    /// Why nothing was changed; nothing when it was.
    package var refusal: String?

    /// Makes a change.
    package init(origin: String, keys: [String] = [], refusal: String? = nil) {
        self.origin = origin
        self.keys = keys
        self.refusal = refusal
    }
}

/// Something about the way of driving.
package struct DrivingEvent: Sendable, Hashable, Codable {
    /// What happened.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case braking, acceleration, cornering, impact, tow
    }

    /// What happened.
    package var kind: Kind
    /// The strongest acceleration of it; nothing for a tow.
    package var peak: Acceleration?
    /// How long it lasted.
    package var lasted: Duration

    /// Makes an event.
    package init(_ kind: Kind, peak: Acceleration?, lasted: Duration) {
        self.kind = kind
        self.peak = peak
        self.lasted = lasted
    }
}

/// A region or a beacon was entered or left.
package struct Transition: Sendable, Hashable, Codable {
    /// Which way.
    package enum Direction: String, Sendable, Hashable, Codable {
        case enter
        case leave
        /// It has been inside for as long as the region asks for.
        case dwell
    }

    /// What told of it.
    package enum Trigger: String, Sendable, Hashable, Codable {
        /// The border of an area.
        case area
        /// The signal of a beacon.
        case beacon
    }

    /// Which way.
    package var direction: Direction
    /// What told of it.
    package var trigger: Trigger
    /// Which region.
    package var region: RegionName
    /// What the region is called in messages; nothing when it has no description.
    package var text: String?
    /// When the region was defined: the key by which OwnTracks knows it.
    package var defined: Timestamp
    /// How long the vehicle was inside, when it leaves and that is known.
    package var inside: Duration?

    /// Makes a transition.
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

/// What a region is known by.
package struct RegionName: Sendable, Hashable, Codable {
    /// The key that does not change.
    package var id: String
    /// What people call it.
    package var name: String

    /// Makes a name.
    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A stay at one place.
package struct Visit: Sendable, Hashable, Codable {
    /// When it began.
    package var arrived: Timestamp
    /// When it ended; nothing as long as it lasts.
    package var departed: Timestamp?

    /// Makes a stay.
    package init(arrived: Timestamp, departed: Timestamp? = nil) {
        self.arrived = arrived
        self.departed = departed
    }
}

/// What became of a request for a location.
package struct RequestAnswer: Sendable, Hashable, Codable {
    /// What the asker wants to be kept with the answer.
    package var action: ActionParameters?
    /// Why there is no location; nothing when there is.
    package var failure: String?
    /// Time from the request to the answer.
    package var took: Duration

    /// Makes an answer.
    package init(action: ActionParameters?, failure: String? = nil, took: Duration) {
        self.action = action
        self.failure = failure
        self.took = took
    }
}

/// What the asker of a location wants to be kept with the answer; the names are those of the GeoManager.
package struct ActionParameters: Sendable, Hashable, Codable {
    /// What kind of action asked.
    package var actionType: String?
    /// What happened.
    package var actionLog: String?
    /// Which one.
    package var actionId: String?
    /// How long it took, in the asker's words.
    package var actionDuration: String?
    /// Anything else.
    package var additionalLog: String?

    /// Makes parameters; what is left out is not kept.
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
