import TrackingOptions
import Quantities

/// The state of the vehicle, parked or moving, with the data of that state.
enum Vehicle: Sendable {
    case parked(Boxed<ParkedState>)
    case moving(Boxed<MovingState>)

    /// Whether the vehicle moves.
    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// When the trip of a moving vehicle began; nil while parked, and before the program has started.
    var movingSince: Instant? { if case .moving(let state) = self { state.value.since } else { nil } }

    /// Handles one event; returns the resulting change of state, if any.
    ///
    /// The function moves the associated value out and back, so that the value changes in place and is not copied.
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

    /// Applies changed options without a change of state: restarts rules and timers, and records points that the accuracy gate
    /// held back.
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

/// An event of the engine, reduced to the data that the state of the vehicle needs.
enum VehicleEvent: Sendable, Hashable {
    /// Tracking begins: the program has started, or the schedule has opened.
    case started
    /// The filter accepted a fix.
    case fix(AcceptedFix)
    /// The accelerometer evaluated one window.
    case motion(isMoving: Bool, onset: Instant?)
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

/// A change of state.
///
/// The data are on the heap, because few events cause a change.
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
        /// Motion at the accelerometer, which a door or a gust of wind can also cause.
        case motion
        /// Certain evidence.
        case certain
    }

    /// The evidence in words.
    let reason: String
    /// The kind of evidence.
    var cause = Cause.certain
    /// The fix that showed the departure, also the first fix of the trip; nil if other evidence showed the departure.
    var fix: AcceptedFix?
    /// When a fix last showed the vehicle parked; nil if no fix showed the departure.
    ///
    /// The vehicle left after that time.
    var parkedUntil: Timestamp?
    /// When the accelerometer began to measure motion; nil if it measured none.
    var began: Instant?
    /// Whether a position check found the vehicle far from its parked place although no motion was measured.
    var isUnseen = false
}

/// A confirmed stop.
struct Arrival: Sendable, Hashable {
    /// The reason for the stop in words.
    var reason: String
    /// When the vehicle came to rest according to the fixes; nil if the fixes do not show the moment.
    var restedSince: Timestamp?
    /// When the accelerometer became still; nil if another rule confirmed the stop.
    var stillSince: Instant?
    /// Whether the accelerometer still shows motion, for example because the engine idles.
    var isShaking = false
    /// Where the vehicle rests according to the fixes; nil if the fixes do not show the place.
    var position: Position?
    /// The last fix of the trip; nil if there was none.
    var lastFix: AcceptedFix?
    /// Some fixes of the stop, for servers that expect several fixes near one place.
    var points: [AcceptedFix] = []
    /// Whether there was no fix since the vehicle came to rest.
    var isUnseen = false
    /// Whether the start was false, so that there was no trip.
    var isFalseStart = false
    /// When the vehicle departed; nil if a fix, lasting motion or other evidence has confirmed the start.
    var doubtfulSince: Instant?
}
