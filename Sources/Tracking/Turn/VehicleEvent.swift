import Quantities

/// An event of the engine, reduced to the data that the state of the vehicle needs.
enum VehicleEvent: Sendable, Hashable {
    /// Tracking begins: the program has started, or tracking is no longer suspended.
    case started
    case fix(AcceptedFix)
    /// The accelerometer evaluated one window.
    case motion(isMoving: Bool, onset: Instant?)
    /// An accelerometer became available or unavailable, or the program started without one.
    case motionSensor
    /// The ignition line changed, or the program read it at the start.
    case ignition(isOn: Bool)
    case timer(VehicleTimer)
    /// A user or server commands a departure.
    case move
    /// A user or server commands a stop.
    case stay
}

/// The timers on which the state of the vehicle acts, by the state that arms them.
enum VehicleTimer: Sendable, Hashable {
    enum Parked: Sendable, Hashable { case check, update, heartbeat }
    enum Moving: Sendable, Hashable { case stillness, silence, acquire, falseStart }

    case parked(Parked)
    case moving(Moving)
    /// Both states search for fixes.
    case fixTimeout
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
        case certain
    }

    /// The evidence in words.
    let reason: String
    /// The kind of evidence.
    var cause = Cause.certain
    /// The fix that showed the departure, also the first fix of the trip; nil if other evidence showed the departure.
    var fix: AcceptedFix?
    /// When the vehicle left according to the fixes; nil if the fixes do not date the departure.
    ///
    /// This is the time of the last fix that showed the vehicle parked, or a later time that follows from the speed and
    /// the distance of `fix`.
    var parkedUntil: Timestamp?
    /// When the accelerometer began to measure motion; nil if the rule that detected the departure did not record it.
    var began: Instant?
    /// Whether `fix` showed the vehicle farther from its parked place than it can have driven unseen.
    var isUnseen = false
}

/// A confirmed stop.
struct Arrival: Sendable, Hashable {
    /// The reason for the stop in words.
    var reason: String
    /// When the vehicle came to rest according to the fixes; nil if the fixes do not show the moment.
    var restedSince: Timestamp?
    /// When the stillness began that confirmed the stop; nil if another rule confirmed the stop.
    ///
    /// The accelerometer reports this stillness. Without an accelerometer, the fixes show it.
    var stillSince: Instant?
    /// Whether the accelerometer still shows motion, for example because the engine idles.
    var isShaking = false
    /// Where the vehicle rests according to the fixes; nil if the fixes do not show the place.
    var position: Position?
    /// The last fix that the stop rules have evaluated; nil if they have evaluated none.
    ///
    /// The rules start anew with each trip, after a change of the options, and when the program starts.
    var lastFix: AcceptedFix?
    /// Some fixes of the stop, for servers that expect several fixes near one place.
    var points: [AcceptedFix] = []
    /// Whether there was no fix since the vehicle came to rest.
    var isUnseen = false
    /// Whether only the silence of the receiver confirmed the stop.
    var isBySilence = false
    /// The first fix after an interruption during which the vehicle parked; nil for all other stops.
    var foundBy: AcceptedFix?
    /// Whether the start was false; then there was no trip.
    var isFalseStart = false
    /// When the vehicle departed; nil if a fix, lasting motion or other evidence has confirmed the start, or if the
    /// start was false.
    var doubtfulSince: Instant?
}
