import Quantities
import TrackingOptions

/// Decides only from fixes whether a parked vehicle has departed.
struct DepartureRule: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        case parked
        case moving(because: String)
        /// One more fix is needed.
        case undecided
    }

    /// A vehicle may have just departed if it is farther than this from the place, or faster than `slow`.
    private static let nearby = Metres(20)
    private static let slow = MetresPerSecond(1)
    /// After this number of ambiguous fixes in a row, the vehicle counts as parked.
    private static let patience = 10

    /// Whether only leaving the stopped geofence is a departure, however fast the vehicle is inside.
    private let hasGeofence: Bool
    private let radius: Metres
    private let near: Metres
    private var doubtCount = 0
    private var fastCount = 0
    private var farCount = 0

    /// Makes a rule; the vehicle has departed outside the stopped geofence if it is in use, else beyond `stationaryRadius`.
    init(_ options: TrackingOptions) {
        hasGeofence = options.useStoppedGeofence
        radius = options.useStoppedGeofence ? options.stoppedGeofenceRadius : options.stationaryRadius
        // With a geofence, a position inside is never ambiguous.
        near = options.useStoppedGeofence ? options.stoppedGeofenceRadius : Self.nearby
    }

    /// Judges a fix; each proof needs two fixes in a row, because the first fixes of a receiver may be wrong.
    mutating func judge(_ fix: AcceptedFix, parkedAt place: Position?) -> Verdict {
        // The uncertainty of a vague place does not count as distance.
        let apart = place?.coordinate.distance(to: fix.coordinate) ?? .zero
        let distance = place.map { $0.isVague ? max(.zero, apart - $0.error) : apart } ?? .zero
        fastCount = fix.provesMovement ? fastCount + 1 : 0
        farCount = distance > radius + (fix.position.accuracy ?? .zero) ? farCount + 1 : 0
        if fastCount >= 2, !hasGeofence { return .moving(because: "two fixes show speed") }
        if farCount >= 2 { return .moving(because: "the vehicle is \(Int(distance.value)) m from where it was parked") }
        guard fastCount + farCount == 0 else { return .undecided }
        let isNear = distance <= max(near, (fix.position.accuracy ?? .zero) * 3)
        doubtCount = isNear && (fix.position.speed ?? .zero) <= Self.slow ? 0 : doubtCount + 1
        return (1...Self.patience).contains(doubtCount) ? .undecided : .parked
    }
}

/// Confirms motion once it has lasted.
struct MotionConfirmation: Sendable, Hashable {
    /// The longest gap in a motion: verdicts come each second, so motion has ended if no verdict reports it for this time.
    private static let longestGap = Duration.seconds(5)

    private struct Burst: Sendable, Hashable {
        let began: Instant
        let last: Instant
    }

    private let delay: Duration
    private var burst: Burst?

    /// Makes a rule: motion must last `delay`; with zero it counts at once.
    init(delay: Duration) { self.delay = delay }

    /// Whether motion has begun, but has not lasted for long enough.
    var isWaiting: Bool { burst.map { $0.last - $0.began < delay } ?? false }

    /// Handles a verdict of the accelerometer; returns when the present motion began; nil without motion.
    mutating func began(isMoving: Bool, at now: Instant) -> Instant? {
        guard isMoving else {
            burst = nil
            return nil
        }
        let current = burst.flatMap { now - $0.last <= Self.longestGap ? $0 : nil }
        let began = current?.began ?? now
        burst = Burst(began: began, last: now)
        return began
    }

    /// Whether the motion has lasted for long enough.
    func isOver(at now: Instant) -> Bool { burst.map { now - $0.began >= delay } ?? false }

    /// Whether there was motion a moment ago.
    func isRecent(at now: Instant) -> Bool { burst.map { now - $0.last <= Self.longestGap } ?? false }
}
