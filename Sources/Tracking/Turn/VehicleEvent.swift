import Quantities

/// Only what the state of the vehicle needs.
enum VehicleEvent: Sendable, Hashable {
    /// The program has started, or tracking is no longer suspended.
    case started
    case fix(AcceptedFix)
    case motion(isMoving: Bool, onset: Instant?)
    case motionSensor
    /// Or was read at the start.
    case ignition(isOn: Bool)
    case timer(VehicleTimer)
    case move
    case stay
}

/// By the state that arms them.
enum VehicleTimer: Sendable, Hashable {
    enum Parked: Sendable, Hashable { case check, update, heartbeat }
    enum Moving: Sendable, Hashable { case stillness, silence, acquire, falseStart }

    case parked(Parked)
    case moving(Moving)
    case fixTimeout
}

/// On the heap, because few events cause one.
indirect enum StateChange: Sendable {
    case depart(Departure)
    case arrive(Arrival)
}

struct Departure: Sendable, Hashable {
    enum Cause: Sendable, Hashable {
        /// A door or a gust of wind can cause it too.
        case motion
        case certain
    }

    let reason: String
    var cause = Cause.certain
    /// Also the first of the trip; nil for other evidence.
    var fix: AcceptedFix?
    /// The last fix that showed the vehicle parked, or later by the speed and distance of `fix`; nil if the fixes do not date
    /// it.
    var parkedUntil: Timestamp?
    /// Nil if the rule did not record it.
    var began: Instant?
    /// Farther from its parked place than it can have driven unseen.
    var isUnseen = false
}

struct Arrival: Sendable, Hashable {
    var reason: String
    /// By the fixes.
    var restedSince: Timestamp?
    /// By the accelerometer, without one by the fixes; nil if another rule confirmed the stop.
    var stillSince: Instant?
    /// For example, the engine idles.
    var isShaking = false
    /// By the fixes.
    var position: Position?
    /// Of the stop rules, which start anew with each trip, change of options and start.
    var lastFix: AcceptedFix?
    /// For servers that expect several near one place.
    var points: [AcceptedFix] = []
    /// Since the vehicle came to rest.
    var isUnseen = false
    var isBySilence = false
    /// After an interruption during which the vehicle parked.
    var foundBy: AcceptedFix?
    /// There was no trip.
    var isFalseStart = false
    /// Nil if the start is confirmed, or was false.
    var doubtfulSince: Instant?
}
