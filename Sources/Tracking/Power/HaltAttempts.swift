import Quantities

/// Spaces the attempts to halt a board that goes on running because something forbids the halt.
struct HaltAttempts: Sendable, Hashable {
    private static let backoff = Backoff(first: .seconds(600), longest: .seconds(86_400))
    /// A board that is being halted is off after this time.
    private static let longestHalt = Duration.seconds(300)

    /// Number of attempts since the vehicle last moved, or had a good battery.
    private(set) var count = 0
    private var began = Instant.boot

    /// Whether an attempt may be made now.
    func isDue(at now: Instant) -> Bool {
        count == 0 || now - began >= Self.backoff.pause(afterFailures: count)
    }

    /// Whether the board is on its way down.
    func isUnderWay(at now: Instant) -> Bool { count > 0 && now - began < Self.longestHalt }

    /// Counts an attempt.
    mutating func begin(at now: Instant) {
        count += 1
        began = now
    }
}
