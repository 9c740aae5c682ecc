import Motion
import Quantities

/// Learns the vibration while the vehicle stands: when it is parked, or when the last fix of a trip reports below 0.5 m/s.
struct NoiseLearner: Sendable {
    /// A fix older than this does not show whether the vehicle stands now.
    private static let freshness = Duration.seconds(3)
    /// Below this measured speed, the vehicle counts as standing.
    private static let standing = MetresPerSecond(0.5)

    /// The learnt noise; survives a restart.
    private(set) var noise: NoiseFloor

    /// Continues from the noise that an earlier run has learnt.
    init(restoring noise: NoiseFloor) { self.noise = noise }

    /// Learns from one window.
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
