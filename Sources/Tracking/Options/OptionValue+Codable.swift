import Quantities

/// An object of one key, which names the kind and the unit: what lies in the database is still readable when kinds are added.
extension OptionValue: Codable {
    private enum Key: String, CodingKey {
        case seconds, metres, metresPerSecond, degrees, number, count, flag, choice, text, millisecondsSince1970, clock
        case nothing
    }

    /// Reads a value; throws when its kind is not known.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first else { throw Self.unreadable(container.codingPath) }
        self =
            switch key {
            case .seconds: .duration(Duration(inSeconds: try container.decode(Double.self, forKey: key)))
            case .metres: .length(try container.decode(Metres.self, forKey: key))
            case .metresPerSecond: .speed(try container.decode(MetresPerSecond.self, forKey: key))
            case .degrees: .angle(try container.decode(Degrees.self, forKey: key))
            case .number: .number(try container.decode(Double.self, forKey: key))
            case .count: .count(try container.decode(Int.self, forKey: key))
            case .flag: .flag(try container.decode(Bool.self, forKey: key))
            case .choice: .choice(try container.decode(String.self, forKey: key))
            case .text: .text(try container.decode(String.self, forKey: key))
            case .millisecondsSince1970: .timestamp(try container.decode(Timestamp.self, forKey: key))
            case .clock: .timeOfDay(try container.decode(TimeOfDay.self, forKey: key))
            case .nothing: .nothing
            }
    }

    /// Writes the value under the name of its kind.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .duration(let span): try container.encode(span.inSeconds, forKey: .seconds)
        case .length(let metres): try container.encode(metres, forKey: .metres)
        case .speed(let speed): try container.encode(speed, forKey: .metresPerSecond)
        case .angle(let angle): try container.encode(angle, forKey: .degrees)
        case .number(let number): try container.encode(number, forKey: .number)
        case .count(let count): try container.encode(count, forKey: .count)
        case .flag(let flag): try container.encode(flag, forKey: .flag)
        case .choice(let word): try container.encode(word, forKey: .choice)
        case .text(let text): try container.encode(text, forKey: .text)
        case .timestamp(let moment): try container.encode(moment, forKey: .millisecondsSince1970)
        case .timeOfDay(let time): try container.encode(time, forKey: .clock)
        case .nothing: try container.encode(true, forKey: .nothing)
        }
    }

    private static func unreadable(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            .init(codingPath: path, debugDescription: "The value of an option has a kind that is not known."))
    }
}
