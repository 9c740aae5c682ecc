/// Exponential back-off: each further failure in a row doubles the pause, up to a longest pause.
package struct Backoff: Sendable, Hashable {
    /// The pauses before the program opens a device again, from one second to one minute.
    package static let device = Backoff(first: .seconds(1), longest: .seconds(60))

    package let first: Duration
    package let longest: Duration
    /// Failures since the last success.
    package private(set) var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Treats a count below 1 as 1.
    package func pause(afterFailures count: Int) -> Duration {
        // With a first pause of one second, the factor 2^40 makes a pause of 35 000 years. No pause needs a larger
        // factor, and the limit prevents an overflow of the product.
        min(first * (1 << min(max(count, 1) - 1, 40)), longest)
    }

    /// Counts one more failure and returns the next pause.
    package mutating func next() -> Duration {
        failures += 1
        return pause(afterFailures: failures)
    }

    package mutating func reset() { failures = 0 }
}
