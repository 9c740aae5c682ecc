package import Quantities

/// How far a server without the permission `silence` may change an option. A value that causes at least as many records as the
/// owner's is always acceptable.
package enum ServerFloor: Sendable, Hashable {
    case harmless
    /// A server may set a number from the first limit to the second; nil is no limit.
    case number(from: Limit? = nil, to: Limit? = nil, zero: Zero = .ordinary)
    /// A server may set the words up to `last`; the word that causes the most records is first.
    case words([String], last: String)
    case staysOn
    /// A server may switch the option on only if the number of the option under this key is within the limits of that option.
    case staysOff(unlessWithinLimit: String)
    /// A server may switch the rule off only if another rule still records a regular track.
    case track
    case needsSilence
    case forbidden

    package enum Limit: Sendable, Hashable {
        case interval
        case distance
        case accuracy
        case owner
        /// A number in the option's unit; seconds for a duration.
        case fixed(Double)
    }

    /// The meaning of the number 0.
    package enum Zero: Sendable, Hashable {
        case ordinary
        /// Zero switches off a rule that causes records.
        case off
        /// Zero switches off a rule; without the rule, at least as much is recorded.
        case harmless
        case track
    }
}

extension TrackingOptions {
    /// True if a rule records at regular times or distances. Turns alone are not such a rule: a straight road has
    /// none.
    package var recordsRegularTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || useSignificantLocationChanges
    }
}

extension OptionValue {
    /// The value as a number in its unit; seconds for a duration.
    package var number: Double? {
        switch self {
        case .duration(let span): span.inSeconds
        case .length(let metres): metres.value
        case .speed(let speed): speed.value
        case .angle(let angle): angle.value
        case .number(let number): number
        case .count(let count): Double(count)
        case .flag, .choice, .text, .timestamp, .timeOfDay, .nothing: nil
        }
    }
}

/// What servers may reduce under the configuration in force. A server's values outlive a change of these rights, so
/// each use asks for the present rights.
package struct ServerRights: Sendable, Hashable {
    package var limits: ServerLimits
    private let silence: Set<String>
    private let mode: Set<String>

    package init(limits: ServerLimits = ServerLimits(), silence: Set<String> = [], mode: Set<String> = []) {
        (self.limits, self.silence, self.mode) = (limits, silence, mode)
    }

    package func permitSilence(to target: String) -> Bool { silence.contains(target) }

    /// True if the server may change the mode; to begin or end `quiet` or `manual`, it needs `silence` too.
    package func permitMode(_ next: MonitoringMode, after present: MonitoringMode, to target: String) -> Bool {
        mode.contains(target) && (silence.contains(target) || next.recordsUnasked && present.recordsUnasked)
    }
}

/// How far a server without `silence` may reduce what is recorded and sent; a value that reduces no more than the
/// owner's is always allowed.
package struct ServerLimits: Sendable, Hashable {
    package var interval = Duration.seconds(3600)
    package var distance = Metres(10_000)
    /// The smallest `accuracyLimit`; a smaller one would reject too many fixes.
    package var accuracy = Metres(50)

    package init() {}
}
