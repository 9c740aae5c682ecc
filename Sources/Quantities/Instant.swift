/// A moment as time since boot, including time in suspend.
///
/// Instants are monotonic, and have no meaning after a restart of the computer.
///
/// In the daemon an instant comes from `CLOCK_BOOTTIME`; in a replay it is the time since the timeline began.
package struct Instant: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since boot.
    package let nanoseconds: Int64

    /// The moment of boot.
    package static let boot = Instant(nanoseconds: 0)

    /// Makes the moment this many nanoseconds after boot.
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Makes the moment this many seconds after boot, rounded to the nanosecond and limited to a century.
    package init(seconds: Double) { nanoseconds = nanosecondsWithinACentury(seconds) }

    /// Seconds since boot.
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Returns whether `left` comes first.
    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the moment that is `span` later.
    package static func + (left: Instant, span: Duration) -> Instant {
        Instant(nanoseconds: saturatingSum(left.nanoseconds, span.nanoseconds))
    }

    /// Returns the moment that is `span` earlier.
    package static func - (left: Instant, span: Duration) -> Instant {
        left + (.zero - span)
    }

    /// Returns the time from `right` to `left`; negative if `left` came first.
    package static func - (left: Instant, right: Instant) -> Duration {
        let (span, overflows) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return overflows ? .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds) : .nanoseconds(span)
    }
}
