import TrackingOptions
import Quantities

/// The state of the vehicle, with the data of that state.
enum Vehicle: Sendable {
    case parked(Boxed<ParkedState>)
    case moving(Boxed<MovingState>)

    /// Whether the vehicle moves.
    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// When the trip began, for a vehicle that moves; nil before the program has started.
    var movingSince: Instant? { if case .moving(let state) = self { state.value.since } else { nil } }

    /// Handles one event; returns the change of state that results, if any.
    ///
    /// The payload is moved out and back, so that it is changed in place.
    mutating func handle(
        _ event: VehicleEvent, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        switch consume self {
        case .parked(var state):
            let transition = state.value.handle(event, context, &equipment, into: &effects)
            self = .parked(state)
            return transition
        case .moving(var state):
            let transition = state.value.handle(event, context, &equipment, into: &effects)
            self = .moving(state)
            return transition
        }
    }

    /// Applies changed options without a change of state: rules and timers restart, and held-back points are
    /// recorded.
    mutating func optionsChanged(
        from old: TrackingOptions, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        switch consume self {
        case .parked(var state):
            state.value.optionsChanged(from: old, context, &equipment, into: &effects)
            self = .parked(state)
        case .moving(var state):
            state.value.optionsChanged(context, &equipment, into: &effects)
            self = .moving(state)
        }
    }
}

/// An event of the engine, reduced to what concerns the state of the vehicle.
enum VehicleEvent: Sendable, Hashable {
    /// Tracking begins: the program has started, or the schedule has opened.
    case started
    /// A fix was accepted.
    case fix(AcceptedFix)
    /// The accelerometer evaluated one window.
    case motion(isMoving: Bool)
    /// An accelerometer became available or unavailable.
    case motionSensor
    /// The ignition line changed.
    case ignition(isOn: Bool)
    /// A timer expired.
    case timer(TimerKind)
    /// A user commands a departure.
    case move
    /// A user commands a stop.
    case stay
}

/// A change of state; boxed, since hardly any event causes one.
indirect enum StateChange: Sendable {
    /// From parked to moving.
    case depart(Departure)
    /// From moving to parked.
    case arrive(Arrival)
}

/// A detected start.
struct Departure: Sendable, Hashable {
    /// The kind of evidence.
    enum Cause: Sendable, Hashable {
        /// The accelerometer, which a door or a gust of wind can deceive.
        case motion
        /// Evidence that cannot be mistaken.
        case certain
    }

    /// The evidence in words.
    let reason: String
    /// The kind of evidence.
    var cause = Cause.certain
    /// The fix that showed it, if there was one; it is the first of the trip.
    var fix: AcceptedFix?
    /// When the vehicle was last seen parked, if a fix showed the departure; the vehicle left some time after that.
    var parkedUntil: Timestamp?
    /// When motion began, if the accelerometer showed it.
    var began: Instant?
}

/// A confirmed stop.
struct Arrival: Sendable, Hashable {
    /// The rule that confirmed it, in words.
    let reason: String
    /// When the vehicle came to rest according to the fixes; nil if they do not show it.
    var restedSince: Timestamp?
    /// When the accelerometer became still; nil if another rule confirmed the stop.
    var stillSince: Instant?
    /// Whether the accelerometer still shows motion, for example because the engine idles.
    var isShaking = false
    /// Where the vehicle rests according to the fixes; nil if they do not show it.
    var position: Position?
    /// The last fix of the trip; nil if there was none.
    var lastFix: AcceptedFix?
    /// Some fixes of the rest, for servers that expect several near one place.
    var points: [AcceptedFix] = []
    /// Whether there was no fix since the vehicle came to rest.
    var isUnseen = false
    /// Whether the start was false, so that there was no trip.
    var isFalseStart = false
    /// When the vehicle departed, if neither a fix nor lasting motion has confirmed the start.
    var doubtfulSince: Instant?
}
