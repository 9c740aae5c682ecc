import Quantities
import TrackingOptions

/// Makes motion wait until a trip may start, `startDelay` after the stop; then a position check runs.
struct StartGate: Sendable {
    /// The reason why no trip starts while the gate is closed.
    static let reason = "not yet: no trip may start so soon after the stop"

    private let stopped: Instant?
    private var motionBegan: Instant?

    /// Makes a gate for a vehicle that has stopped at that moment; nil makes an open gate.
    init(stopped: Instant? = nil) { self.stopped = stopped }

    /// Whether motion or a fix beyond the parked place waits for the gate.
    var isDelaying: Bool { motionBegan != nil }

    /// Returns when the gate opens; nil if it is open.
    func opening(_ context: Context) -> Instant? {
        stopped.map { $0 + context.options.startDelay }.flatMap { $0 > context.now ? $0 : nil }
    }

    /// Returns whether the gate is closed; if so, the motion or fix of the moment `began` waits for the gate.
    mutating func delays(since began: Instant, _ context: Context) -> Bool {
        guard opening(context) != nil else { return false }
        motionBegan = motionBegan ?? began
        return true
    }

    /// Returns the moment at which the waiting motion began; nil if no motion has waited.
    mutating func release() -> Instant? {
        defer { motionBegan = nil }
        return motionBegan
    }
}
