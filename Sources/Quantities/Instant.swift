/// A moment as time since boot, including time in suspend.
///
/// Instants are monotonic, and have no meaning after a restart of the computer.
///
/// In the daemon an instant comes from `CLOCK_BOOTTIME`; in a replay it is the time since the timeline began.
package struct Instant: Sendable, Hashable, Comparable, Codable {
    package let nanoseconds: Int64

    package static let boot = Instant(nanoseconds: 0)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounded to the nanosecond and limited to a century.
    package init(seconds: Double) { nanoseconds = nanosecondsWithinACentury(seconds) }

    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (left: Instant, span: Duration) -> Instant {
        Instant(nanoseconds: saturatingSum(left.nanoseconds, span.nanoseconds))
    }

    package static func - (left: Instant, span: Duration) -> Instant {
        left + (.zero - span)
    }

    package static func - (left: Instant, right: Instant) -> Duration {
        let (span, overflows) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return overflows ? .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds) : .nanoseconds(span)
    }
}
