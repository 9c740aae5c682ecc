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
