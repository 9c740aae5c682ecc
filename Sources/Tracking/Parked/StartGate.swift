import Quantities
import TrackingOptions

/// Delays a start until `startDelay` after the stop; if motion has waited, a position check then runs.
struct StartGate: Sendable {
    /// The reason why no trip starts while the gate is closed.
    static let reason = "not yet: no trip may start so soon after the stop"

    private let stopped: Instant?
    private var motionBegan: Instant?

    /// Makes a gate for a vehicle that stopped at the moment `stopped`; if this is nil, the gate is open.
    init(stopped: Instant? = nil) { self.stopped = stopped }

    /// Whether motion, or a fix away from the parked place, waits for the gate to open.
    var isDelaying: Bool { motionBegan != nil }

    /// Returns when the gate opens; nil if the gate is already open.
    func opening(_ context: Context) -> Instant? {
        stopped.map { $0 + context.options.startDelay }.flatMap { $0 > context.now ? $0 : nil }
    }

    /// Returns whether the gate is closed; if so, stores that motion or a fix has waited since `began`.
    mutating func delays(since began: Instant, _ context: Context) -> Bool {
        guard opening(context) != nil else { return false }
        motionBegan = motionBegan ?? began
        return true
    }

    /// Returns the moment at which the waiting motion began; nil if nothing has waited.
    mutating func release() -> Instant? {
        defer { motionBegan = nil }
        return motionBegan
    }
}
