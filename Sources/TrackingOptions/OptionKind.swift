import Calendar
package import Quantities

/// How the value of an option is written, and between which bounds.
package enum OptionKind: Sendable, Hashable {
    /// A span of time.
    case duration(ClosedRange<Duration>)
    /// A distance.
    case metres(ClosedRange<Metres>)
    /// A speed.
    case speed(ClosedRange<MetresPerSecond>)
    /// A change of course.
    case degrees(ClosedRange<Degrees>)
    /// A bare number.
    case number(ClosedRange<Double>)
    /// A whole number.
    case count(ClosedRange<Int>)
    /// Yes or no.
    case flag
    /// One of these words.
    case choice([String])
    /// A text of at most so many characters, or none.
    case text(maximum: Int)
    /// A moment, or none.
    case timestamp
    /// A minute of the day.
    case timeOfDay
    /// The fields of a crontab line, or none.
    case crontab

    /// Reads a value as people write it; nothing when it is none of this kind, or out of bounds.
    package func value(of text: String) -> OptionValue? {
        guard let value = unchecked(text), accepts(value) else { return nil }
        return value
    }

    private func unchecked(_ text: String) -> OptionValue? {
        switch self {
        case .duration: DurationText.parse(text).map(OptionValue.duration)
        case .metres: Double(text).map(OptionValue.metres)
        case .speed: Double(text).map(OptionValue.metresPerSecond)
        case .degrees: Double(text).map(OptionValue.degrees)
        case .number: Double(text).map(OptionValue.number)
        case .count: Int(text).map(OptionValue.count)
        case .flag: Self.flags[text.lowercased()].map(OptionValue.flag)
        case .choice(let words): words.first { Word($0) == Word(text) }.map { .choice($0) }
        case .text, .crontab: .text(text)
        case .timestamp: TimestampText.parse(text).map(OptionValue.timestamp)
        case .timeOfDay: TimeOfDay(text).map(OptionValue.timeOfDay)
        }
    }

    /// Whether the value is of this kind and within its bounds.
    package func accepts(_ value: OptionValue) -> Bool {
        switch self {
        case .duration(let range): if case .duration(let span) = value { range.contains(span) } else { false }
        case .metres(let range):
            if case .length(let metres) = value { holds(range, metres, metres.value) } else { false }
        case .speed(let range): if case .speed(let speed) = value { holds(range, speed, speed.value) } else { false }
        case .degrees(let range): if case .angle(let angle) = value { holds(range, angle, angle.value) } else { false }
        case .number(let range): if case .number(let number) = value { range.contains(number) } else { false }
        case .count(let range): if case .count(let count) = value { range.contains(count) } else { false }
        case .flag: if case .flag = value { true } else { false }
        case .choice(let words): if case .choice(let word) = value { words.contains(word) } else { false }
        case .timeOfDay: if case .timeOfDay = value { true } else { false }
        case .timestamp: if case .timestamp = value { true } else { value == .nothing }
        case .text(let most):
            if case .text(let text) = value {
                (1...most).contains(text.count) && text.nameFault == nil
            } else {
                value == .nothing
            }
        case .crontab: if case .text(let fields) = value { Crontab(fields) != nil } else { value == .nothing }
        }
    }

    /// NaN is neither below nor above anything, and so would be within every range.
    private func holds<Bound>(_ range: ClosedRange<Bound>, _ bound: Bound, _ number: Double) -> Bool {
        !number.isNaN && range.contains(bound)
    }

    /// What a value must be, in words that follow "must be".
    package var expected: String {
        switch self {
        case .duration(let range):
            "a time in seconds, or such as `90s`, `5m`, `2h`, from \(bounds(range, DurationText.write))"
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

    /// As YAML 1.1 has them.
    private static let flags = ["true": true, "yes": true, "on": true, "false": false, "no": false, "off": false]
}

/// A word of a choice as other systems spell it: `.stopsAndExits` and `STOPS_AND_EXITS` are the same.
package struct Word: Hashable {
    private let letters: String

    /// Takes a word as it is written.
    package init(_ text: String) { letters = text.lowercased().filter { $0 != "." && $0 != "_" } }
}
