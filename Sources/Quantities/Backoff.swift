/// Exponential back-off: the pause after each failure in a row is twice the one before, up to a longest one.
package struct Backoff: Sendable, Hashable {
    /// The pauses of a device that is opened again: from one second to a minute.
    package static let device = Backoff(first: .seconds(1), longest: .seconds(60))

    /// The pause after the first failure.
    package let first: Duration
    /// The pause that does not grow any more.
    package let longest: Duration
    /// Failures since the last success.
    package private(set) var failures = 0

    /// Makes a back-off without a failure yet.
    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The pause after that number of failures in a row, at least 1.
    package func pause(afterFailures count: Int) -> Duration {
        // 2^40 seconds are 35 000 years: no pause is longer, and no product overflows.
        min(first * (1 << min(max(count, 1) - 1, 40)), longest)
    }

    /// Counts one more failure and returns the pause to make now.
    package mutating func next() -> Duration {
        failures += 1
        return pause(afterFailures: failures)
    }

    /// Starts again with the first pause, after a success.
    package mutating func reset() { failures = 0 }
}
