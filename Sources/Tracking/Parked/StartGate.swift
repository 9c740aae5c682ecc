import Quantities
import TrackingOptions

/// Delays a start until `startDelay` after the stop. If it has delayed one, a position check runs when the gate opens.
struct StartGate: Sendable {
    static let reason = "not yet: no trip may start so soon after the stop"

    private let stopped: Instant?
    private var motionBegan: Instant?

    /// If `stopped` is nil, the gate is open.
    init(stopped: Instant? = nil) { self.stopped = stopped }

    var isDelaying: Bool { motionBegan != nil }

    /// Nil if the gate is open.
    func opening(_ turn: Turn) -> Instant? {
        stopped.map { $0 + turn.options.startDelay }.flatMap { $0 > turn.now ? $0 : nil }
    }

    /// Whether the gate is closed; it then keeps the first `began` as the beginning of the motion.
    mutating func delays(since began: Instant, _ turn: Turn) -> Bool {
        guard opening(turn) != nil else { return false }
        motionBegan = motionBegan ?? began
        return true
    }

    /// Returns and clears the beginning of the motion; nil if no start was delayed.
    mutating func release() -> Instant? {
        defer { motionBegan = nil }
        return motionBegan
    }
}

/// Limits the position checks that motion causes.
struct CheckLimit: Sendable, Hashable {
    /// A driver who has started the engine drives off within this time after the first fix.
    static let watch = Duration.seconds(15)
    /// After this time without a check, the first pause applies again.
    private static let memory = Duration.seconds(600)

    private let pauses: Backoff
    private var lastCheck: Instant?
    private var checks = 0

    init(_ pauses: Backoff) { self.pauses = pauses }

    /// Whether motion may cause a check now; for motion that is unusually strong here, only the first pause applies.
    func mayCheck(isStrong: Bool = false, at now: Instant) -> Bool {
        guard let lastCheck else { return true }
        return now - lastCheck >= (isStrong ? pauses.first : pauses.pause(afterFailures: checks))
    }

    mutating func noteCheck(at now: Instant) {
        checks = lastCheck.map { now - $0 > Self.memory } ?? true ? 1 : checks + 1
        lastCheck = now
    }
}

extension Backoff {
    /// For a place where a start was false, as in wind or at a busy road. The first pause is longer than most gusts. With the
    /// longest, the receiver is on for a tenth of the time in a gale.
    static let shakenPlace = Backoff(first: .seconds(30), longest: .seconds(120))
    /// For single shocks. Between a slammed door and the start, several seconds pass.
    static let shocks = Backoff(first: .seconds(5), longest: .seconds(120))
}

/// If an idling engine shakes the accelerometer of a parked vehicle, motion is no evidence of a start.
struct IdlingEngine: Sendable {
    /// Pauses in the vibration of a running engine are shorter.
    private static let lull = Duration.seconds(10)

    private(set) var isRunning: Bool
    private var stillSince: Instant?

    init(isRunning: Bool) { self.isRunning = isRunning }

    mutating func hasEnded(isMoving: Bool, at now: Instant) -> Bool {
        stillSince = isMoving ? nil : stillSince ?? now
        isRunning = stillSince.map { now - $0 < Self.lull } ?? true
        return !isRunning
    }
}
