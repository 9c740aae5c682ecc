import Calendar
import Quantities
package import TrackingOptions

/// The value of an option: a quantity is a number of seconds, metres, m/s or degrees; null if the option has no value.
package enum PlainValue: Codable, Sendable, Hashable {
    case number(Double)
    case count(Int)
    case flag(Bool)
    case text(String)
    case nothing

    package init(_ value: OptionValue) {
        self =
            switch value {
            case .duration(let span): .number(span.inSeconds)
            case .length(let metres): .number(metres.value)
            case .speed(let speed): .number(speed.value)
            case .angle(let angle): .number(angle.value)
            case .number(let number): .number(number)
            case .count(let count): .count(count)
            case .flag(let flag): .flag(flag)
            case .choice(let word), .text(let word): .text(word)
            case .timestamp(let moment): .text(moment.description)
            case .timeOfDay(let time): .text(time.text)
            case .nothing: .nothing
            }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let count = try? container.decode(Int.self) {
            self = .count(count)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .count(let count): try container.encode(count)
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .nothing: try container.encodeNil()
        }
    }
}
