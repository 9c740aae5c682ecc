import Calendar
package import Quantities

package enum OptionKind: Sendable, Hashable {
    case duration(ClosedRange<Duration>)
    case metres(ClosedRange<Metres>)
    case speed(ClosedRange<MetresPerSecond>)
    case degrees(ClosedRange<Degrees>)
    case number(ClosedRange<Double>)
    case count(ClosedRange<Int>)
    case flag
    case choice([String])
    /// One line of at most `maximum` characters, or no value.
    case text(maximum: Int)
    /// A moment, or no value.
    case timestamp
    case timeOfDay
    /// The five fields of a crontab line, or no value.
    case crontab

    /// Nil for another kind, or out of bounds.
    package func value(of text: String) -> OptionValue? {
        guard let value = unchecked(text), accepts(value) else { return nil }
        return value
    }

    private func unchecked(_ text: String) -> OptionValue? {
        switch self {
        case .duration: Duration.read(text)?.optionValue
        case .metres: Metres.read(text)?.optionValue
        case .speed: MetresPerSecond.read(text)?.optionValue
        case .degrees: Degrees.read(text)?.optionValue
        case .number: Double.read(text)?.optionValue
        case .count: Int.read(text)?.optionValue
        case .flag: Bool.read(text)?.optionValue
        case .choice(let words): words.first { Word($0) == Word(text) }.map { .choice($0) }
        case .text, .crontab: .text(text)
        case .timestamp: Timestamp.read(text)?.optionValue
        case .timeOfDay: TimeOfDay.read(text)?.optionValue
        }
    }

    package func accepts(_ value: OptionValue) -> Bool {
        switch self {
        case .duration(let range): contains(range, value)
        case .metres(let range): contains(range, value)
        case .speed(let range): contains(range, value)
        case .degrees(let range): contains(range, value)
        case .number(let range): contains(range, value)
        case .count(let range): contains(range, value)
        case .flag: Bool(value) != nil
        case .choice(let words): words.contains { .choice($0) == value }
        case .timeOfDay: TimeOfDay(value) != nil
        case .timestamp: value == .nothing || Timestamp(value) != nil
        case .text(let maximum): value == .nothing || isText(value, maximum)
        case .crontab: value == .nothing || Crontab(value) != nil
        }
    }

    private func contains<Bound: OptionRepresentable & Comparable>(
        _ range: ClosedRange<Bound>, _ value: OptionValue
    ) -> Bool {
        guard let number = Bound(value) else { return false }
        // NaN does not equal itself; without this comparison, every range would contain NaN.
        return number == number && range.contains(number)
    }

    private func isText(_ value: OptionValue, _ maximum: Int) -> Bool {
        guard case .text(let text) = value else { return false }
        return (1...maximum).contains(text.count) && text.nameFault == nil
    }

    /// Follows "must be".
    package var expected: String {
        switch self {
        case .duration(let range):
            "a duration from \(bounds(range, DurationText.write)), in seconds or with a unit, such as `90s`, `5m` or `2h`"
        case .metres(let range): "a number of metres from \(bounds(range) { NumberText.write($0.value) })"
        case .speed(let range): "a number of metres a second from \(bounds(range) { NumberText.write($0.value) })"
        case .degrees(let range): "a number of degrees from \(bounds(range) { NumberText.write($0.value) })"
        case .number(let range): "a number from \(bounds(range, NumberText.write))"
        case .count(let range): "a whole number from \(bounds(range, \.description))"
        case .flag: "`true` or `false`"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .text(let maximum): "one line of at most \(maximum) characters of plain text"
        case .timestamp: "a date and time such as `2026-01-31T07:30:00Z`"
        case .timeOfDay: "a time of day such as `07:30`, up to `24:00`"
        case .crontab: "the five fields of a crontab line, such as `* 10-20 * * 1-5`"
        }
    }

    private func bounds<Bound>(_ range: ClosedRange<Bound>, _ write: (Bound) -> String) -> String {
        "\(write(range.lowerBound)) to \(write(range.upperBound))"
    }
}

/// A word compared without regard to case, dots and underscores: `.stopsAndExits` equals `STOPS_AND_EXITS`.
package struct Word: Hashable {
    private let letters: String

    package init(_ text: String) { letters = text.lowercased().filter { $0 != "." && $0 != "_" } }
}
