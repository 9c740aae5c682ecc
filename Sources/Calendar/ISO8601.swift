package import Quantities

/// A date, such as `2026-01-31 07:30` or `2026-01-31T07:30:00.250+02:00`; gpsd's live reports are read elsewhere.
package struct ISO8601: Sendable, Hashable {
    package let date: CivilDate
    /// The time since midnight; nil if there is only a date.
    package let time: Duration?
    /// The offset from UTC, positive to the east; nil if the text states none.
    package let offset: Duration?

    package init?(_ text: String) {
        var reader = Reader(text)
        guard let date = reader.date() else { return nil }
        self.date = date
        guard !reader.isAtEnd else {
            (time, offset) = (nil, nil)
            return
        }
        guard reader.take("T", "t", " "), let time = reader.time() else { return nil }
        self.time = time
        guard !reader.isAtEnd else {
            offset = nil
            return
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        self.offset = offset
    }

    /// Reads a time of day such as `7:30` or `07:30:00.250`.
    package static func time(_ text: String) -> Duration? {
        var reader = Reader(text)
        guard let time = reader.time(), reader.isAtEnd else { return nil }
        return time
    }

    /// Nil if the text has no time of day, or if it has no offset and `zone` is nil.
    package func timestamp(in zone: TimeZoneRules? = nil) -> Timestamp? {
        guard let time else { return nil }
        let shown = Timestamp(year: date.year, month: date.month, day: date.day) + time
        if let offset { return shown - offset }
        return zone.map { $0.moment(showing: shown) }
    }
}

extension TimeZoneRules {
    package func moment(showing shown: Timestamp) -> Timestamp { shown - offset(at: shown - offset(at: shown)) }
}

private struct Reader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ characters: Unicode.Scalar...) -> Bool {
        guard !isAtEnd, characters.contains(where: { UInt8(ascii: $0) == bytes[index] }) else { return false }
        index += 1
        return true
    }

    mutating func date() -> CivilDate? {
        guard let year = number(4...4), take("-"), let month = number(2...2), take("-"), let day = number(2...2)
        else { return nil }
        return CivilDate(validYear: year, month: month, day: day)
    }

    mutating func time() -> Duration? {
        guard let hour = number(1...2), hour < 24, take(":"), let minute = number(2...2), minute < 60 else {
            return nil
        }
        let whole = Duration.seconds(hour * 3600 + minute * 60)
        guard take(":") else { return whole }
        // A leap second is 23:59:60 in UTC, and offsets are multiples of 15 minutes, so it ends a quarter of an hour.
        guard let second = number(2...2), second < (minute % 15 == 14 ? 61 : 60) else { return nil }
        guard take(".", ",") else { return whole + .seconds(second) }
        guard let fraction = fraction() else { return nil }
        return whole + .seconds(second) + .nanoseconds(fraction)
    }

    mutating func offset() -> Duration? {
        if take("Z", "z") { return .zero }
        let isNegative = !isAtEnd && bytes[index] == UInt8(ascii: "-")
        guard take("+", "-"), let hours = number(2...2) else { return nil }
        let hasColon = take(":")
        guard let minutes = isAtEnd && !hasColon ? 0 : number(2...2) else { return nil }
        let offset = Duration.seconds(hours * 3600 + minutes * 60)
        return isNegative ? .zero - offset : offset
    }

    /// Nil if the number of digits is outside the range.
    private mutating func number(_ count: ClosedRange<Int>) -> Int? {
        let start = index
        var value = 0
        while index - start < count.upperBound, let digit = digit() { value = value * 10 + digit }
        return count.contains(index - start) ? value : nil
    }

    /// The digits of a fraction of a second as nanoseconds; digits after the ninth are ignored.
    private mutating func fraction() -> Int? {
        var (value, unit) = (0, 100_000_000)
        let start = index
        while let digit = digit() {
            value += digit * unit
            unit /= 10
        }
        return index > start ? value : nil
    }

    private mutating func digit() -> Int? {
        guard !isAtEnd, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
        defer { index += 1 }
        return Int(bytes[index] - UInt8(ascii: "0"))
    }
}
