package import Quantities

/// The value of an option, of whichever kind.
package enum OptionValue: Sendable, Hashable {
    /// A span of time.
    case duration(Duration)
    /// A distance.
    case length(Metres)
    /// A speed.
    case speed(MetresPerSecond)
    /// A change of course.
    case angle(Degrees)
    /// A bare number.
    case number(Double)
    /// A whole number.
    case count(Int)
    /// Yes or no.
    case flag(Bool)
    /// One of several words.
    case choice(String)
    /// A text, or the fields of a crontab line.
    case text(String)
    /// A moment.
    case timestamp(Timestamp)
    /// A minute of the day.
    case timeOfDay(TimeOfDay)
    /// Explicitly none, where an option may have none.
    case nothing

    /// So many seconds.
    package static func seconds(_ count: Int) -> OptionValue { .duration(.seconds(count)) }

    /// So many metres.
    package static func metres(_ number: Double) -> OptionValue { .length(Metres(number)) }

    /// So many metres a second.
    package static func metresPerSecond(_ number: Double) -> OptionValue { .speed(MetresPerSecond(number)) }

    /// So many degrees.
    package static func degrees(_ number: Double) -> OptionValue { .angle(Degrees(number)) }

    /// One of the words of a choice.
    package static func choice(_ word: some OptionChoice) -> OptionValue { .choice(word.name) }

    /// Whether it is the number 0, of whatever unit.
    var isZero: Bool {
        switch self {
        case .duration(let span): span == .zero
        case .length(let metres): metres == .zero
        case .speed(let speed): speed == .zero
        case .angle(let angle): angle == .zero
        case .number(let number): number == 0
        case .count(let count): count == 0
        case .flag, .choice, .text, .timestamp, .timeOfDay, .nothing: false
        }
    }
}

extension OptionValue: CustomStringConvertible {
    /// As it is written in the configuration.
    package var description: String {
        switch self {
        case .duration(let span): DurationText.write(span)
        case .length(let metres): NumberText.write(metres.value)
        case .speed(let speed): NumberText.write(speed.value)
        case .angle(let angle): NumberText.write(angle.value)
        case .number(let number): NumberText.write(number)
        case .count(let count): "\(count)"
        case .flag(let flag): "\(flag)"
        case .choice(let word): word
        case .text(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .timestamp(let moment): moment.description
        case .timeOfDay(let time): "\"\(time.text)\""
        case .nothing: "null"
        }
    }
}

extension TimeOfDay {
    /// As it is written on a clock, such as `07:30`.
    package var text: String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
