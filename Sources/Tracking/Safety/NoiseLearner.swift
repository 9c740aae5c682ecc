import Motion
import Quantities

/// Learns what the accelerometer feels while the vehicle stands: parked, or under way by the speed of the last fix.
struct NoiseLearner: Sendable {
    /// A fix older than this does not show whether the vehicle stands now.
    private static let freshness = Duration.seconds(3)
    /// A slower vehicle stands, to a receiver.
    private static let standing = MetresPerSecond(0.5)

    /// What it has learnt; survives a restart.
    private(set) var noise: NoiseFloor

    /// Goes on from what was learnt before.
    init(restoring noise: NoiseFloor) { self.noise = noise }

    /// Takes one window in.
    mutating func learn(_ verdict: MotionVerdict, _ context: Context, lastFix: AcceptedFix?) {
        guard let deviation = verdict.deviation else { return }
        if !context.isMoving {
            // Skip the window that caused the wake-up.
            if !verdict.isMoving, !verdict.isActive { noise.parked.learn(deviation) }
        } else if let fix = lastFix, let speed = fix.position.speed, speed < Self.standing,
            context.utc.time - fix.time <= Self.freshness
        {
            noise.idling.learn(deviation)
        }
    }
}
