/// Each further failure in a row doubles the pause, up to the longest.
package struct Backoff: Sendable, Hashable {
    /// The pauses before a device is opened again.
    package static let device = Backoff(first: .seconds(1), longest: .seconds(60))

    package let first: Duration
    package let longest: Duration
    /// The number of failures since the last success.
    package private(set) var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// A count below 1 is taken as 1.
    package func pause(afterFailures count: Int) -> Duration {
        // 2^40 s is 35 000 years; the limit prevents an overflow of the product.
        min(first * (1 << min(max(count, 1) - 1, 40)), longest)
    }

    package mutating func next() -> Duration {
        failures += 1
        return pause(afterFailures: failures)
    }

    package mutating func reset() { failures = 0 }
}
