/// Exponential back-off: after each failure in a row the pause doubles, up to a longest pause.
package struct Backoff: Sendable, Hashable {
    /// The pauses before a device is opened again: from one second to a minute.
    package static let device = Backoff(first: .seconds(1), longest: .seconds(60))

    /// The pause after the first failure.
    package let first: Duration
    /// The longest pause; it does not grow further.
    package let longest: Duration
    /// Failures since the last success.
    package private(set) var failures = 0

    /// Makes a back-off without a failure yet.
    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the pause after that number of failures in a row, at least 1.
    package func pause(afterFailures count: Int) -> Duration {
        // 2^40 seconds are 35 000 years: no pause is longer, and no product overflows.
        min(first * (1 << min(max(count, 1) - 1, 40)), longest)
    }

    /// Counts one more failure and returns the next pause.
    package mutating func next() -> Duration {
        failures += 1
        return pause(afterFailures: failures)
    }

    /// Returns to the first pause after a success.
    package mutating func reset() { failures = 0 }
}
