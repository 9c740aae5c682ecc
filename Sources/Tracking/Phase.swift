import Quantities

/// What the two states are told: an event of the engine, stripped of what does not matter to them.
enum Input: Sendable, Hashable {
    case started
    case fix(AcceptedFix)
    case motion(isMoving: Bool)
    case motionSensor(isThere: Bool)
    case ignitionOn
    case timer(TimerKind)
    case command(Command)
}

/// What the two states want done.
enum Step: Sendable, Hashable {
    /// Carry this out.
    case perform(Effect)
    /// The vehicle stands here.
    case parked(at: AcceptedFix)
    /// Keep this fix as a point of the track.
    case keep(AcceptedFix)
    /// Go to Moving.
    case depart(Departure)
    /// Go to Stationary.
    case arrive(Arrival)
}

/// A start that was noticed.
struct Departure: Sendable, Hashable {
    /// What told of it, in words.
    let reason: String
    /// Where the vehicle was seen, if a fix told of it.
    var position: Position?
    /// When it was last seen parked, if a fix told of the departure: it left some time after that.
    var parkedUntil: Timestamp?
}

/// A stop that was confirmed.
struct Arrival: Sendable, Hashable {
    /// Which rule confirmed it, in words.
    let reason: String
    /// Since when the fixes have shown it at rest; nothing when they did not.
    let restedSince: Timestamp?
    /// Since when the accelerometer has been still; nothing when another rule confirmed the stop.
    let stillSince: Instant?
    /// Whether the accelerometer shows motion all the same, as with an engine that idles.
    let isShaking: Bool
    /// Where it rests, by the fixes; nothing when they did not tell.
    let position: Position?
    /// The last fix of the trip; nothing when there was none.
    let lastFix: AcceptedFix?
}
