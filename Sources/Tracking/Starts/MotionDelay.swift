import Quantities

/// Lets motion count once it has lasted.
struct MotionDelay: Sendable, Hashable {
    private let delay: Duration
    private var since: Instant?

    /// Motion must last `delay`; zero: it counts at once.
    init(delay: Duration) { self.delay = delay }

    /// Takes a verdict of the accelerometer in; tells whether motion has lasted long enough.
    mutating func isOver(isMoving: Bool, at now: Instant) -> Bool {
        guard isMoving else {
            since = nil
            return false
        }
        let began = since ?? now
        since = began
        return now - began >= delay
    }
}
