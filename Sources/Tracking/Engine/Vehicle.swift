import TrackingOptions
import Quantities

/// The state that the vehicle is in, with what belongs to that state alone.
enum Vehicle: Sendable {
    case parked(ParkedState)
    case moving(MovingState)

    /// Whether the vehicle moves.
    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// When the trip began, for a vehicle that moves; nil before the program has started.
    var movingSince: Instant? { if case .moving(let state) = self { state.since } else { nil } }

    /// Handles one event; returns the change of state that it shows.
    ///
    /// The payload is moved out and back: a copy of it with each event was a third of the time of a replay.
    mutating func handle(
        _ event: VehicleEvent, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        switch consume self {
        case .parked(var state):
            let transition = state.handle(event, context, &equipment, into: &effects)
            self = .parked(state)
            return transition
        case .moving(var state):
            let transition = state.handle(event, context, &equipment, into: &effects)
            self = .moving(state)
            return transition
        }
    }

    /// Stays in its state under other options: rules and timers begin anew, and what they held back is recorded.
    mutating func optionsChanged(
        from old: TrackingOptions, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        switch consume self {
        case .parked(var state):
            state.optionsChanged(from: old, context, &equipment, into: &effects)
            self = .parked(state)
        case .moving(var state):
            state.optionsChanged(context, &equipment, into: &effects)
            self = .moving(state)
        }
    }
}

/// An event of the engine, as far as it concerns the state that the vehicle is in.
enum VehicleEvent: Sendable, Hashable {
    /// Tracking begins: the program has started, or the schedule has opened.
    case started
    /// A fix was accepted.
    case fix(AcceptedFix)
    /// The accelerometer judged one window.
    case motion(isMoving: Bool)
    /// An accelerometer has begun to answer, or does so no longer.
    case motionSensor
    /// The ignition line changed.
    case ignition(isOn: Bool)
    /// A timer has run out.
    case timer(TimerKind)
    /// Somebody orders a departure.
    case move
    /// Somebody orders a stop.
    case stay
}

/// A change of state.
enum StateChange: Sendable {
    /// From parked to moving.
    case depart(Departure)
    /// From moving to parked.
    case arrive(Arrival)
}

/// A start that was noticed.
struct Departure: Sendable, Hashable {
    /// The evidence for it.
    enum Cause: Sendable, Hashable {
        /// The accelerometer, which a door or a gust may deceive.
        case motion
        /// Anything that cannot be mistaken.
        case certain
    }

    /// The evidence for it, in words.
    let reason: String
    /// The evidence for it.
    var cause = Cause.certain
    /// The fix that showed it, if one did; it is the first of the trip.
    var fix: AcceptedFix?
    /// When the vehicle was last seen parked, if a fix showed the departure: it left some time after that.
    var parkedUntil: Timestamp?
    /// When motion began, if the accelerometer showed it.
    var began: Instant?
}

/// A stop that was confirmed.
struct Arrival: Sendable, Hashable {
    /// Which rule confirmed it, in words.
    let reason: String
    /// Since when the fixes have shown it at rest; nil if they did not.
    var restedSince: Timestamp?
    /// Since when the accelerometer has been still; nil if another rule confirmed the stop.
    var stillSince: Instant?
    /// Whether the accelerometer shows motion all the same, as with an engine that idles.
    var isShaking = false
    /// Where it rests, by the fixes; nil if they do not show it.
    var position: Position?
    /// The last fix of the trip; nil if there was none.
    var lastFix: AcceptedFix?
    /// Some fixes of the rest, for servers that look for several near one place.
    var points: [AcceptedFix] = []
    /// Whether no fix has come since it came to rest.
    var isUnseen = false
    /// Whether there was no trip at all.
    var isFalseStart = false
    /// When the vehicle departed, if neither a fix nor lasting motion has confirmed that start.
    var doubtfulSince: Instant?
}
