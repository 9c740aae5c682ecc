import Motion
import Quantities

extension Engine {
    /// The accelerometer judged a second: that is driving, noise, and evidence for the state that the vehicle is in.
    mutating func take(_ verdict: MotionVerdict, at now: Instant) -> [Effect] {
        learnNoise(verdict, at: now)
        return judgeDriving(.motion(verdict), at: now) + forward(.motion(isMoving: verdict.isMoving), at: now)
    }

    /// A fix older than this does not tell whether the vehicle stands now.
    private static let freshness = Duration.seconds(3)
    /// Slower is standing, to a receiver.
    private static let standing = MetresPerSecond(0.5)

    /// Learns what the accelerometer feels while the vehicle stands: parked, or on its way by the speed of the last fix.
    private mutating func learnNoise(_ verdict: MotionVerdict, at now: Instant) {
        guard !isSuspended, let deviation = verdict.deviation else { return }
        if !state.isMoving {
            // What woke the chip is no noise.
            if !verdict.isMoving, !verdict.isActive { state.noise.parked.learn(deviation) }
        } else if let fix = state.lastFix, let speed = fix.position.speed, speed < Self.standing,
            clock.time(at: now).time - fix.time <= Self.freshness
        {
            state.noise.idling.learn(deviation)
        }
    }
}
