import Quantities

/// The state that the vehicle is in.
enum Phase: Sendable {
    case stationary(Stationary)
    case moving(Moving)

    /// Tells the state, and gives back what it wants done.
    ///
    /// The state is moved out and back: a copy of it with each event was a third of the time of a replay.
    mutating func handle(_ input: Input, state: inout EngineState, at now: Instant) -> [Step] {
        switch consume self {
        case .stationary(var stationary):
            let steps = stationary.handle(input, state: state, at: now)
            self = .stationary(stationary)
            return steps
        case .moving(var moving):
            let steps = moving.handle(input, state: &state, at: now)
            self = .moving(moving)
            return steps
        }
    }
}

/// What the two states are told: an event of the engine, stripped of what does not matter to them.
enum Input: Sendable, Hashable {
    case started
    case fix(AcceptedFix)
    case motion(isMoving: Bool)
    case motionSensor(isThere: Bool)
    case ignition(isOn: Bool)
    case timer(TimerKind)
    case move
    case stay
}

/// What the two states, and the parts beside them, want done.
enum Step: Sendable, Hashable {
    /// Carry this out.
    case perform(Effect)
    /// Track with the receiver, or do without.
    case receiver(isOn: Bool)
    /// Cut the supply of the receiver, or give it back.
    case cutReceiver(Bool)
    /// The vehicle stands here.
    case parked(at: AcceptedFix)
    /// Keep this fix as a point of the track.
    case keep(AcceptedFix)
    /// Keep an event that happened now, where the vehicle is.
    case record(Record.Content)
    /// The trip is real.
    case confirmTrip
    /// Go to Moving.
    case depart(Departure)
    /// Go to Stationary.
    case arrive(Arrival)
}

/// A start that was noticed.
struct Departure: Sendable, Hashable {
    /// What told of it.
    enum Cause: Sendable, Hashable {
        /// The accelerometer, which a door or a gust may deceive.
        case motion
        /// Anything that cannot be mistaken.
        case certain
    }

    /// What told of it, in words.
    let reason: String
    /// What told of it.
    var cause = Cause.certain
    /// Where the vehicle was seen, if a fix told of it.
    var position: Position?
    /// When it was last seen parked, if a fix told of the departure: it left some time after that.
    var parkedUntil: Timestamp?
    /// When motion began, if the accelerometer told of it.
    var began: Instant?
}

/// A stop that was confirmed.
struct Arrival: Sendable, Hashable {
    /// Which rule confirmed it, in words.
    let reason: String
    /// Since when the fixes have shown it at rest; nothing when they did not.
    var restedSince: Timestamp?
    /// Since when the accelerometer has been still; nothing when another rule confirmed the stop.
    var stillSince: Instant?
    /// Whether the accelerometer shows motion all the same, as with an engine that idles.
    var isShaking = false
    /// Where it rests, by the fixes; nothing when they did not tell.
    var position: Position?
    /// The last fix of the trip; nothing when there was none.
    var lastFix: AcceptedFix?
    /// Some fixes of the rest, for servers that look for several near one place.
    var points: [AcceptedFix] = []
    /// Whether no fix has come since it came to rest.
    var isUnseen = false
    /// Whether there was no trip at all.
    var isFalseStart = false
}
