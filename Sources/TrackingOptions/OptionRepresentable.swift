package import Calendar
package import Quantities

/// How people write a value of this type, and which bounds it can have.
package protocol OptionRepresentable: Sendable {
    /// `Void` if there are none.
    associatedtype Bounds: Sendable

    static func kind(_ bounds: Bounds) -> OptionKind

    /// Does not check bounds.
    static func read(_ text: String) -> Self?

    init?(_ value: OptionValue)

    var optionValue: OptionValue { get }
}

extension Duration: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Duration>) -> OptionKind { .duration(range) }
    package static func read(_ text: String) -> Duration? { DurationText.parse(text) }
    package init?(_ value: OptionValue) {
        guard case .duration(let span) = value else { return nil }
        self = span
    }
    package var optionValue: OptionValue { .duration(self) }
}

extension Metres: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .metres(Metres(range.lowerBound)...Metres(range.upperBound))
    }
    package static func read(_ text: String) -> Metres? { Double(text).map { Metres($0) } }
    package init?(_ value: OptionValue) {
        guard case .length(let metres) = value else { return nil }
        self = metres
    }
    package var optionValue: OptionValue { .length(self) }
}

extension MetresPerSecond: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .speed(MetresPerSecond(range.lowerBound)...MetresPerSecond(range.upperBound))
    }
    package static func read(_ text: String) -> MetresPerSecond? { Double(text).map { MetresPerSecond($0) } }
    package init?(_ value: OptionValue) {
        guard case .speed(let speed) = value else { return nil }
        self = speed
    }
    package var optionValue: OptionValue { .speed(self) }
}

extension Degrees: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind {
        .degrees(Degrees(range.lowerBound)...Degrees(range.upperBound))
    }
    package static func read(_ text: String) -> Degrees? { Double(text).map { Degrees($0) } }
    package init?(_ value: OptionValue) {
        guard case .angle(let angle) = value else { return nil }
        self = angle
    }
    package var optionValue: OptionValue { .angle(self) }
}

extension Double: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Double>) -> OptionKind { .number(range) }
    package static func read(_ text: String) -> Double? { Double(text) }
    package init?(_ value: OptionValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }
    package var optionValue: OptionValue { .number(self) }
}

extension Int: OptionRepresentable {
    package static func kind(_ range: ClosedRange<Int>) -> OptionKind { .count(range) }
    package static func read(_ text: String) -> Int? { Int(text) }
    package init?(_ value: OptionValue) {
        guard case .count(let count) = value else { return nil }
        self = count
    }
    package var optionValue: OptionValue { .count(self) }
}

extension Bool: OptionRepresentable {
    /// The words for true and false in YAML 1.1, except `y` and `n`.
    private static let words = ["true": true, "yes": true, "on": true, "false": false, "no": false, "off": false]

    package static func kind(_: Void) -> OptionKind { .flag }
    package static func read(_ text: String) -> Bool? { words[text.lowercased()] }
    package init?(_ value: OptionValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
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
    package init?(_ value: OptionValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
    package var optionValue: OptionValue { .text(self) }
}

extension Timestamp: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .timestamp }

    /// Reads ISO 8601 with an offset, a date alone (midnight UTC), or milliseconds since 1970, from 2000 to 2199: a number
    /// outside is most likely in seconds.
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

    package init?(_ value: OptionValue) {
        guard case .timestamp(let moment) = value else { return nil }
        self = moment
    }
    package var optionValue: OptionValue { .timestamp(self) }
}

extension TimeOfDay: OptionRepresentable {
    package static func kind(_: Void) -> OptionKind { .timeOfDay }
    package static func read(_ text: String) -> TimeOfDay? { TimeOfDay(text) }
    package init?(_ value: OptionValue) {
        guard case .timeOfDay(let time) = value else { return nil }
        self = time
    }
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
