import Motion
import Quantities

enum VehicleEvent: Sendable, Hashable {
    /// The program has started, or tracking is no longer suspended.
    case started
    case fix(AcceptedFix)
    case motion(MotionVerdict)
    case motionSensor
    case ignition(isOn: Bool)
    case timer(VehicleTimer)
    case move
    case stay
}

enum VehicleTimer: Sendable, Hashable {
    enum Parked: Sendable, Hashable { case check, update, heartbeat }
    enum Moving: Sendable, Hashable { case stillness, silence, acquire, falseStart }

    case parked(Parked)
    case moving(Moving)
    case fixTimeout
}

/// The value is on the heap, because few events cause one.
indirect enum StateChange: Sendable {
    case depart(Departure)
    case arrive(Arrival)
}

struct Departure: Sendable, Hashable {
    enum Cause: Sendable, Hashable {
        /// Motion, which a door or a gust of wind can cause too.
        case motion
        case certain
    }

    let reason: String
    var cause = Cause.certain
    /// The fix that showed the departure, also the first of the trip; nil for other evidence.
    var fix: AcceptedFix?
    /// The time of the last fix at rest, or a later one from speed and distance; nil if the fixes do not date the departure.
    var parkedUntil: Timestamp?
    /// When the motion began; nil if the rule did not record it.
    var began: Instant?
    /// True if the vehicle is farther from its parked place than it can have driven since it may have left.
    var isUnseen = false
}

struct Arrival: Sendable, Hashable {
    var reason: String
    /// When the vehicle came to rest, as the fixes show.
    var restedSince: Timestamp?
    /// When the vehicle came to rest by the accelerometer or, without one, by the fixes; nil if another rule confirmed
    /// the stop.
    var stillSince: Instant?
    /// True if the accelerometer shows motion, for example because the engine idles.
    var isShaking = false
    /// Where the vehicle rests, as the fixes show.
    var position: Position?
    /// The last fix of the stop rules, which begin anew with each trip, change of options and program start.
    var lastFix: AcceptedFix?
    /// The points of the stop, for servers that expect several near one place.
    var points: [AcceptedFix] = []
    /// True if no fix has come since the vehicle came to rest.
    var isUnseen = false
    /// How long the receiver was silent, if only this ended the trip.
    var silence: Duration?
    /// The first fix after an interruption or a silence during which the vehicle parked.
    var foundBy: AcceptedFix?
    /// True if the vehicle had not moved, so that there was no trip.
    var isFalseStart = false
    /// When the trip began; nil if its start is confirmed.
    var doubtfulSince: Instant?
}
