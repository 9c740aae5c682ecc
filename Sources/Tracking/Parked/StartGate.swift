import Quantities
import TrackingOptions

/// Makes motion wait until a trip may start, `startDelay` after the stop; the place is checked then.
struct StartGate: Sendable {
    /// Why nothing starts while it is closed.
    static let reason = "not yet: no trip may start so soon after the stop"

    private let stopped: Instant?
    private var motionBegan: Instant?

    /// Makes a gate for a vehicle that has stopped at that moment; it is open if nil.
    init(stopped: Instant? = nil) { self.stopped = stopped }

    /// Whether motion or a fix beyond the parked place waits for the gate.
    var isDelaying: Bool { motionBegan != nil }

    /// Returns when the gate opens; nil if it is open.
    func opening(_ context: Context) -> Instant? {
        stopped.map { $0 + context.options.startDelay }.flatMap { $0 > context.now ? $0 : nil }
    }

    /// Returns whether the gate is closed; if it is, what has begun at that moment waits for it.
    mutating func delays(since began: Instant, _ context: Context) -> Bool {
        guard opening(context) != nil else { return false }
        motionBegan = motionBegan ?? began
        return true
    }

    /// Returns when the motion began that has waited; nil if none has.
    mutating func release() -> Instant? {
        defer { motionBegan = nil }
        return motionBegan
    }
}
