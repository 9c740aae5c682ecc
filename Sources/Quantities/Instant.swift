/// Monotonic time since boot, including suspend (`CLOCK_BOOTTIME`), without meaning after a restart of the computer. In
/// a replay it counts from the start of the timeline.
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

extension Duration {
    /// Cut off to whole nanoseconds, limited to ±292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = parts
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeds) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows || exceeds ? (seconds < 0 ? .min : .max) : sum
    }

    package var inSeconds: Double {
        let (seconds, attoseconds) = parts
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// As `components`, whose division by 10^18 is ten times slower; a fix needs some twenty of them.
    private var parts: (seconds: Int64, attoseconds: Int64) {
        let second: Int64 = 1_000_000_000_000_000_000
        if let span = Int64(exactly: attoseconds) { return (span / second, span % second) }
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: Int128(second))
        return (Int64(clamping: seconds), Int64(truncatingIfNeeded: rest))
    }

    package var magnitude: Duration { self < .zero ? .zero - self : self }

    /// Rounded to the nanosecond and limited to ±100 years; NaN becomes zero.
    package init(inSeconds seconds: Double) {
        self = .nanoseconds(nanosecondsWithinACentury(seconds))
    }
}

/// Limited to ±100 years, so the sum of two results never overflows.
func nanosecondsWithinACentury(_ seconds: Double) -> Int64 {
    let century = 100 * 365.25 * 86_400
    guard !seconds.isNaN else { return 0 }
    return Int64((min(century, max(-century, seconds)) * 1e9).rounded())
}
