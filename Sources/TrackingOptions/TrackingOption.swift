import Calendar
import Quantities

/// One tracking option: a row of the table that the parser, the documents and the tests are made from.
package struct TrackingOption: Sendable {
    /// Where a value lies among the options.
    package typealias Place<Kind> = any WritableKeyPath<TrackingOptions, Kind> & Sendable

    /// What it is called in the configuration.
    package let key: String
    /// How its value is written, and between which bounds.
    package let kind: OptionKind
    /// What it does, in one sentence.
    package let text: String
    /// Whether the number 0 leaves it as it is, as with Radar a bubble of no radius does.
    package let isUntouchedByZero: Bool
    private let get: @Sendable (TrackingOptions) -> OptionValue
    private let set: @Sendable (inout TrackingOptions, OptionValue) -> Void

    /// The value among these options.
    package func value(in options: TrackingOptions) -> OptionValue { get(options) }

    /// Takes the value over; says whether it did, which it does not when it is out of bounds, or a 0 that changes nothing.
    package func assign(_ value: OptionValue, to options: inout TrackingOptions) -> Bool {
        guard kind.accepts(value) else { return false }
        set(&options, value)
        return true
    }

    /// Whether the value may be written: within bounds, or a 0 that changes nothing.
    package func accepts(_ value: OptionValue) -> Bool {
        kind.accepts(value) || (isUntouchedByZero && value.isZero)
    }

    private init<Kind>(
        _ key: String, _ kind: OptionKind, _ place: Place<Kind>, _ text: String,
        isUntouchedByZero: Bool = false, wrap: @escaping @Sendable (Kind) -> OptionValue,
        unwrap: @escaping @Sendable (OptionValue) -> Kind?
    ) {
        self.key = key
        self.kind = kind
        self.text = text
        self.isUntouchedByZero = isUntouchedByZero
        get = { wrap($0[keyPath: place]) }
        set = { options, value in if let own = unwrap(value) { options[keyPath: place] = own } }
    }
}

/// Rows, a kind each.
extension TrackingOption {
    static func duration(
        _ key: String, _ place: Place<Duration>, _ range: ClosedRange<Duration>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .duration(range), place, text, wrap: { .duration($0) }) {
            if case .duration(let span) = $0 { span } else { nil }
        }
    }

    static func metres(
        _ key: String, _ place: Place<Metres>, _ range: ClosedRange<Double>, _ text: String,
        isUntouchedByZero: Bool = false
    ) -> TrackingOption {
        let kind = OptionKind.metres(Metres(range.lowerBound)...Metres(range.upperBound))
        return TrackingOption(
            key, kind, place, text, isUntouchedByZero: isUntouchedByZero, wrap: { .length($0) }
        ) {
            if case .length(let metres) = $0 { metres } else { nil }
        }
    }

    static func speed(
        _ key: String, _ place: Place<MetresPerSecond>, _ range: ClosedRange<Double>, _ text: String
    ) -> TrackingOption {
        let kind = OptionKind.speed(MetresPerSecond(range.lowerBound)...MetresPerSecond(range.upperBound))
        return TrackingOption(key, kind, place, text, wrap: { .speed($0) }) {
            if case .speed(let speed) = $0 { speed } else { nil }
        }
    }

    static func degrees(
        _ key: String, _ place: Place<Degrees>, _ range: ClosedRange<Double>, _ text: String
    ) -> TrackingOption {
        let kind = OptionKind.degrees(Degrees(range.lowerBound)...Degrees(range.upperBound))
        return TrackingOption(key, kind, place, text, wrap: { .angle($0) }) {
            if case .angle(let angle) = $0 { angle } else { nil }
        }
    }

    static func number(
        _ key: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .number(range), place, text, wrap: { .number($0) }) {
            if case .number(let number) = $0 { number } else { nil }
        }
    }

    static func count(
        _ key: String, _ place: Place<Int>, _ range: ClosedRange<Int>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .count(range), place, text, wrap: { .count($0) }) {
            if case .count(let count) = $0 { count } else { nil }
        }
    }

    static func flag(
        _ key: String, _ place: Place<Bool>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .flag, place, text, wrap: { .flag($0) }) {
            if case .flag(let flag) = $0 { flag } else { nil }
        }
    }

    static func choice<Choice: OptionChoice>(
        _ key: String, _ place: Place<Choice>, _ text: String
    ) -> TrackingOption {
        let kind = OptionKind.choice(Choice.allCases.map(\.name))
        return TrackingOption(key, kind, place, text, wrap: { .choice($0.name) }) { value in
            Choice.allCases.first { .choice($0.name) == value }
        }
    }

    static func text(
        _ key: String, _ place: Place<String?>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .text(maximum: 100), place, text, wrap: { $0.map(OptionValue.text) ?? .nothing }) {
            if case .text(let text) = $0 { .some(text) } else { .some(nil) }
        }
    }

    static func timestamp(
        _ key: String, _ place: Place<Timestamp?>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .timestamp, place, text, wrap: { $0.map(OptionValue.timestamp) ?? .nothing }) {
            if case .timestamp(let moment) = $0 { .some(moment) } else { .some(nil) }
        }
    }

    static func timeOfDay(
        _ key: String, _ place: Place<TimeOfDay>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .timeOfDay, place, text, wrap: { .timeOfDay($0) }) {
            if case .timeOfDay(let time) = $0 { time } else { nil }
        }
    }

    static func crontab(
        _ key: String, _ place: Place<Crontab?>, _ text: String
    ) -> TrackingOption {
        TrackingOption(key, .crontab, place, text, wrap: { $0.map { .text($0.text) } ?? .nothing }) {
            if case .text(let fields) = $0 { .some(Crontab(fields)) } else { .some(nil) }
        }
    }
}
