import Quantities

/// Lets motion count once it has lasted.
struct MotionDelay: Sendable, Hashable {
    /// Verdicts come each second; motion that was reported longer ago than this is over, though nobody said so.
    private static let longestGap = Duration.seconds(5)

    private struct Burst: Sendable, Hashable {
        let began: Instant
        let last: Instant
    }

    private let delay: Duration
    private var burst: Burst?

    /// Motion must last `delay`; zero: it counts at once.
    init(delay: Duration) { self.delay = delay }

    /// Takes a verdict of the accelerometer in; tells whether motion has lasted long enough.
    mutating func isOver(isMoving: Bool, at now: Instant) -> Bool {
        guard isMoving else {
            burst = nil
            return false
        }
        let current = burst.flatMap { now - $0.last <= Self.longestGap ? $0 : nil }
        let began = current?.began ?? now
        burst = Burst(began: began, last: now)
        return now - began >= delay
    }
}
