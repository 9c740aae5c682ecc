package import Calendar
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

    /// Reads a text; nil for a value of another kind, or out of bounds.
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
        // NaN does not equal itself; without this comparison, each range of a `Quantity` would contain NaN.
        return number == number && range.contains(number)
    }

    private func isText(_ value: OptionValue, _ maximum: Int) -> Bool {
        guard case .text(let text) = value else { return false }
        return (1...maximum).contains(text.count) && text.nameFault == nil
    }

    /// What follows "must be" in a message.
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

/// A word that is compared without regard to case, dots and underscores: `.stopsAndExits` equals `STOPS_AND_EXITS`.
package struct Word: Hashable {
    private let letters: String

    package init(_ text: String) { letters = text.lowercased().filter { $0 != "." && $0 != "_" } }
}

package protocol OptionRepresentable: Sendable {
    /// `Void` if there are none.
    associatedtype Bounds: Sendable

    static func kind(_ bounds: Bounds) -> OptionKind

    /// Does not check bounds.
    static func read(_ text: String) -> Self?

    init?(_ value: OptionValue)

    var optionValue: OptionValue { get }
}

extension OptionRepresentable {
    package init?(_ value: OptionValue) {
        guard let own = value.payload as? Self else { return nil }
        self = own
    }
}

extension OptionValue {
    /// The value in its own type; nil for a choice, which each type looks up among its words, and for `nothing`.
    fileprivate var payload: (any Sendable)? {
        switch self {
        case .duration(let span): span
        case .length(let metres): metres
        case .speed(let speed): speed
        case .angle(let angle): angle
        case .number(let number): number
        case .count(let count): count
        case .flag(let flag): flag
        case .text(let text): text
        case .timestamp(let moment): moment
        case .timeOfDay(let time): time
        case .choice, .nothing: nil
        }
    }
}

extension Duration: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Duration>) -> OptionKind { .duration(range) }
    package static func read(_ text: String) -> Duration? { DurationText.parse(text) }
    package var optionValue: OptionValue { .duration(self) }
}

extension Metres: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .metres(Metres(range.lowerBound)...Metres(range.upperBound))
    }
    package static func read(_ text: String) -> Metres? { Double(text).map { Metres($0) } }
    package var optionValue: OptionValue { .length(self) }
}

extension MetresPerSecond: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .speed(MetresPerSecond(range.lowerBound)...MetresPerSecond(range.upperBound))
    }
    package static func read(_ text: String) -> MetresPerSecond? { Double(text).map { MetresPerSecond($0) } }
    package var optionValue: OptionValue { .speed(self) }
}

extension Degrees: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .degrees(Degrees(range.lowerBound)...Degrees(range.upperBound))
    }
    package static func read(_ text: String) -> Degrees? { Double(text).map { Degrees($0) } }
    package var optionValue: OptionValue { .angle(self) }
}

extension Double: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind { .number(range) }
    package static func read(_ text: String) -> Double? { Double(text) }
    package var optionValue: OptionValue { .number(self) }
}

extension Int: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Int>) -> OptionKind { .count(range) }
    package static func read(_ text: String) -> Int? { Int(text) }
    package var optionValue: OptionValue { .count(self) }
}

extension Bool: OptionRepresentable {
    /// The words for true and false in YAML 1.1, except `y` and `n`.
    private static let words = ["true": true, "yes": true, "on": true, "false": false, "no": false, "off": false]

    package static func kind(_: Void) -> OptionKind { .flag }
    package static func read(_ text: String) -> Bool? { words[text.lowercased()] }
    package var optionValue: OptionValue { .flag(self) }
}

extension OptionChoice {
    package static func kind(_: Void) -> OptionKind { .choice(allCases.map(\.name)) }
    package static func read(_ text: String) -> Self? { allCases.first { Word($0.name) == Word(text) } }
    package init?(_ value: OptionValue) {
        guard let choice = Self.allCases.first(where: { .choice($0.name) == value }) else { return nil }
        self = choice
    }
    package var optionValue: OptionValue { .choice(name) }
}

extension String: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .text(maximum: 100) }
    package static func read(_ text: String) -> String? { text }
    package var optionValue: OptionValue { .text(self) }
}

extension Timestamp: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .timestamp }

    /// Reads ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970, from 2000 to 2199: a
    /// number outside is most likely in seconds.
    package static func read(_ text: String) -> Timestamp? {
        let years = Timestamp(year: 2000, month: 1, day: 1)..<Timestamp(year: 2200, month: 1, day: 1)
        guard let moment = Int64(text).map(Timestamp.init(milliseconds:)) ?? dated(text), years.contains(moment) else {
            return nil
        }
        return moment
    }

    private static func dated(_ text: String) -> Timestamp? {
        guard let moment = ISO8601(text) else { return nil }
        let (date, isDateAlone) = (moment.date, moment.time == nil)
        return isDateAlone ? Timestamp(year: date.year, month: date.month, day: date.day) : moment.timestamp()
    }

    package var optionValue: OptionValue { .timestamp(self) }
}

extension TimeOfDay: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .timeOfDay }
    package static func read(_ text: String) -> TimeOfDay? { TimeOfDay(text) }
    package var optionValue: OptionValue { .timeOfDay(self) }
}

extension Crontab: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .crontab }
    package static func read(_ text: String) -> Crontab? { Crontab(text) }
    package init?(_ value: OptionValue) {
        guard case .text(let fields) = value, let crontab = Crontab(fields) else { return nil }
        self = crontab
    }
    package var optionValue: OptionValue { .text(text) }
}

extension Optional: OptionRepresentable where Wrapped: OptionRepresentable {
    package static func kind(_ bounds: Wrapped.Bounds) -> OptionKind { Wrapped.kind(bounds) }
    package static func read(_ text: String) -> Wrapped?? { Wrapped.read(text).map(Optional.some) }
    package init?(_ value: OptionValue) {
        if value == .nothing {
            self = .none
        } else if let wrapped = Wrapped(value) {
            self = wrapped
        } else {
            return nil
        }
    }
    package var optionValue: OptionValue { self?.optionValue ?? .nothing }
}

package protocol OptionChoice: CaseIterable, Hashable, OptionRepresentable {
    var name: String { get }
}

extension OptionChoice where Self: RawRepresentable, RawValue == String {
    package var name: String { rawValue }
}

extension OptionValue {
    package static func choice(_ word: some OptionChoice) -> OptionValue { .choice(word.name) }
}
