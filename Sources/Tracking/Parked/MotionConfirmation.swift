import Quantities

/// Lets motion count once it has lasted.
struct MotionConfirmation: Sendable, Hashable {
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

    /// Whether motion has begun that must still last.
    var isWaiting: Bool { burst.map { $0.last - $0.began < delay } ?? false }

    /// Takes a verdict of the accelerometer in; tells when the motion began that it belongs to.
    mutating func began(isMoving: Bool, at now: Instant) -> Instant? {
        guard isMoving else {
            burst = nil
            return nil
        }
        let current = burst.flatMap { now - $0.last <= Self.longestGap ? $0 : nil }
        let began = current?.began ?? now
        burst = Burst(began: began, last: now)
        return began
    }

    /// Whether the motion has lasted long enough.
    func isOver(at now: Instant) -> Bool { burst.map { now - $0.began >= delay } ?? false }

    /// Whether motion was felt a moment ago.
    func isRecent(at now: Instant) -> Bool { burst.map { now - $0.last <= Self.longestGap } ?? false }
}
