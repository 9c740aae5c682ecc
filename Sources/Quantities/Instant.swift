/// Monotonic time since boot, including suspend (`CLOCK_BOOTTIME`). It has no meaning after a restart of the computer.
/// In a replay it counts from the start of the timeline.
package struct Instant: Sendable, Hashable, Comparable, Codable {
    package let nanoseconds: Int64

    package static let boot = Instant(nanoseconds: 0)

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounded to the nanosecond and limited to a century.
    package init(seconds: Double) { nanoseconds = nanosecondsWithinACentury(seconds) }

    package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Nil if all are nil.
    package static func earliest(_ moments: Instant?...) -> Instant? {
        var earliest: Instant?
        for case let moment? in moments { earliest = min(earliest ?? moment, moment) }
        return earliest
    }

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
    /// The duration cut off to whole nanoseconds, limited to ±292 years.
    package var nanoseconds: Int64 { split?.nanoseconds ?? (attoseconds < 0 ? .min : .max) }

    package var inSeconds: Double {
        guard let (nanoseconds, rest) = split else {
            // The library's `components` end the program beyond 2^63 s, which a damaged row may contain.
            let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
            return Double(seconds) + Double(rest) * 1e-18
        }
        let (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Double(seconds) + Double(fraction * 1_000_000_000 + rest) * 1e-18
    }

    /// Whole nanoseconds and the attoseconds left over, both with the sign of the duration; nil above 292 years.
    ///
    /// Divides in two steps of 32 bits: the library divides 128 bits, which takes ten times as long, and each fix needs
    /// dozens of these divisions.
    private var split: (nanoseconds: Int64, rest: Int64)? {
        let (size, divisor) = (attoseconds.magnitude, UInt64(1_000_000_000))
        let (high, low) = (UInt64(truncatingIfNeeded: size >> 64), UInt64(truncatingIfNeeded: size))
        guard high < divisor / 2 else { return nil }
        let (first, carry) = (high << 32 | low >> 32).quotientAndRemainder(dividingBy: divisor)
        let (second, rest) = (carry << 32 | low & 0xFFFF_FFFF).quotientAndRemainder(dividingBy: divisor)
        let (whole, left) = (Int64(first << 32 | second), Int64(rest))
        return attoseconds < 0 ? (-whole, -left) : (whole, left)
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
