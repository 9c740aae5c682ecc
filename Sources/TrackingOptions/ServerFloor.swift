import Quantities

/// How far a server without the permission `silence` may change an option.
///
/// Each row of the table of options states its floor, so an option without a floor does not compile. A value is always
/// acceptable if it causes at least as many records as the present value, or as the value without options of servers.
package enum ServerFloor: Sendable, Hashable {
    /// No value of the option reduces what the tracker records and sends.
    case harmless
    /// The server may set numbers from the first limit to the second.
    case number(from: Limit? = nil, to: Limit? = nil, zero: Zero = .ordinary)
    /// The server may set these words up to the last one; the word that causes most records is first.
    case words([String], last: String)
    /// The server may not switch the option off.
    case staysOn
    /// The server may switch the option on only if the number under this key is within the limits of its own floor.
    case staysOff(unlessWithinLimit: String)
    /// The server may switch the option off only if another rule still records the track.
    case track
    /// The server may not change the option.
    case needsSilence
    /// No server may change the option, even with the permission `silence`.
    case forbidden

    /// A limit for a number.
    package enum Limit: Sendable, Hashable {
        /// The longest interval that the owner allows.
        case interval
        /// The longest distance that the owner allows.
        case distance
        /// The smallest limit for the accuracy that the owner allows.
        case accuracy
        /// The value without options of servers.
        case owner
        /// A number in the unit of the option; a duration is in seconds.
        case fixed(Double)
    }

    /// The meaning of the number 0.
    package enum Zero: Sendable, Hashable {
        /// A number like any other.
        case ordinary
        /// It switches off a rule that causes records.
        case off
        /// It switches off a rule without which the tracker records at least as much.
        case harmless
        /// It switches off a rule of the track; see the case `track` of the floor.
        case track
    }
}

extension TrackingOptions {
    /// Whether a rule records the track at intervals of time or distance.
    ///
    /// Turns alone are not such a rule, because a straight road has none.
    package var recordsRegularTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || useSignificantLocationChanges
    }
}

extension OptionValue {
    /// The number in the value, of a duration in seconds; nil if the value is no number.
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
