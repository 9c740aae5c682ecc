import Quantities
import TrackingOptions

/// Delays a start until `startDelay` after the stop.
///
/// If the gate has delayed a start, a position check runs when the gate opens.
struct StartGate: Sendable {
    /// The reason why no trip starts while the gate is closed.
    static let reason = "not yet: no trip may start so soon after the stop"

    private let stopped: Instant?
    private var motionBegan: Instant?

    /// Makes a gate for a vehicle that stopped at the moment `stopped`; if this is nil, the gate is open.
    init(stopped: Instant? = nil) { self.stopped = stopped }

    /// Whether the gate delays a start that motion or a fix has indicated.
    var isDelaying: Bool { motionBegan != nil }

    /// Returns when the gate opens; nil if the gate is already open.
    func opening(_ turn: Turn) -> Instant? {
        stopped.map { $0 + turn.options.startDelay }.flatMap { $0 > turn.now ? $0 : nil }
    }

    /// Returns whether the gate is closed; a closed gate stores the first `began` as the beginning of the motion.
    mutating func delays(since began: Instant, _ turn: Turn) -> Bool {
        guard opening(turn) != nil else { return false }
        motionBegan = motionBegan ?? began
        return true
    }

    /// Returns and clears the stored beginning of the motion; nil if the gate has delayed no start.
    mutating func release() -> Instant? {
        defer { motionBegan = nil }
        return motionBegan
    }
}

/// Limits the position checks that motion causes at a place where a start was false, for example because of wind or a busy
/// road.
struct ShakenPlace: Sendable, Hashable {
    /// How long a check continues after its first fix while the motion lasts.
    ///
    /// A driver who has started the engine drives off within this time.
    static let watch = Duration.seconds(15)
    /// The pauses between checks.
    ///
    /// The first pause is longer than most gusts. With the longest pause, the receiver is on for about a tenth of the time in a
    /// gale.
    private static let pauses = Backoff(first: .seconds(30), longest: .seconds(120))
    /// After this time without a check, the first pause applies again.
    private static let memory = Duration.seconds(600)

    private var lastCheck: Instant?
    private var checks = 0

    /// Returns whether motion may cause a check now; for motion that is stronger than usual at this place, only the first pause
    /// applies.
    func mayCheck(isStrong: Bool, at now: Instant) -> Bool {
        guard let lastCheck else { return true }
        return now - lastCheck >= (isStrong ? Self.pauses.first : Self.pauses.pause(afterFailures: checks))
    }

    /// Counts a check that found the vehicle where it was parked.
    mutating func noteCheck(at now: Instant) {
        checks = lastCheck.map { now - $0 > Self.memory } ?? true ? 1 : checks + 1
        lastCheck = now
    }
}

/// Whether an idling engine shakes the accelerometer of a parked vehicle; if so, motion is no evidence of a start.
struct IdlingEngine: Sendable {
    /// If the accelerometer measures no motion for this time, the engine has stopped; pauses in its vibration are shorter.
    private static let lull = Duration.seconds(10)

    private(set) var isRunning: Bool
    private var stillSince: Instant?

    init(isRunning: Bool) { self.isRunning = isRunning }

    /// Handles a verdict of the accelerometer; returns whether the engine has stopped.
    mutating func hasEnded(isMoving: Bool, at now: Instant) -> Bool {
        stillSince = isMoving ? nil : stillSince ?? now
        isRunning = stillSince.map { now - $0 < Self.lull } ?? true
        return !isRunning
    }
}
