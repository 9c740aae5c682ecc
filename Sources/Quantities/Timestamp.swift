/// UTC to the millisecond, without leap seconds, as POSIX and GPS receivers report it.
public struct Timestamp: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(year: Int, month: Int, day: Int) {
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        milliseconds = Int64(days) * Self.millisecondsADay
    }

    /// The seconds since 1970, rounded down.
    public var seconds: Int64 { floorDivide(milliseconds, 1000) }

    /// ISO 8601 with milliseconds, such as `2026-01-01T07:30:00.250Z`.
    public var description: String {
        let days = floorDivide(milliseconds, Self.millisecondsADay)
        let remainder = milliseconds % Self.millisecondsADay
        let rest = Int(remainder < 0 ? remainder + Self.millisecondsADay : remainder)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(CivilDate(daysSince1970: Int(days)))
        text.append(UInt8(ascii: "T"))
        text.append(rest / 3_600_000, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(rest / 60_000 % 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(rest / 1000 % 60, digits: 2)
        text.append(UInt8(ascii: "."))
        text.append(rest % 1000, digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Rounded to the millisecond.
    public static func + (left: Timestamp, span: Duration) -> Timestamp { left.moved(nanoseconds: span.nanoseconds) }

    /// UTC at `instant`, if this is UTC at the boot; rounded to the millisecond.
    package func time(at instant: Instant) -> Timestamp { moved(nanoseconds: instant.nanoseconds) }

    /// UTC at the boot, if this is UTC at `instant`; rounded to the millisecond.
    package func bootTime(at instant: Instant) -> Timestamp { moved(nanoseconds: -max(instant.nanoseconds, -.max)) }

    private func moved(nanoseconds: Int64) -> Timestamp {
        let rounded = floorDivide(saturatingSum(nanoseconds, 500_000), 1_000_000)
        return Timestamp(milliseconds: saturatingSum(milliseconds, rounded))
    }

    public static func - (left: Timestamp, span: Duration) -> Timestamp { left + (.zero - span) }

    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        let (span, overflows) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        return overflows ? .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds) : .milliseconds(span)
    }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    private static let millisecondsADay: Int64 = 86_400_000
}

/// Limited to the largest or smallest number, since a date in a hostile message must not end the program.
func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    return overflows ? (right < 0 ? .min : .max) : sum
}

/// Rounds towards minus infinity, whereas `/` rounds towards zero. The divisor must be positive.
package func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}

/// Writes the number with zeros in front up to `width` digits.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension [UInt8] {
    /// Appends the number with zeros in front. `padded` writes a number that is negative or has more digits.
    mutating func append(_ number: Int, digits: Int) {
        var unit = (1..<digits).reduce(1) { unit, _ in unit * 10 }
        guard (0..<unit * 10).contains(number) else { return append(contentsOf: padded(number, digits).utf8) }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
    }
}
