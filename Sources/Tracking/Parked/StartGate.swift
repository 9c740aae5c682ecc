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
