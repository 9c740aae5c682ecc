import Calendar
import Quantities
import Tracking
import TrackingOptions

/// A listing of tracking options: as lines that are valid in a configuration file, or as JSON.
struct OptionListing {
    let resolved: ResolvedOptions

    /// `key: value` lines, each with its origin as a comment.
    var text: String {
        let lines = resolved.items.map { ("\($0.key): \($0.value)", origin($0)) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { line, origin in
            "\(line)\(String(repeating: " ", count: width - line.count))  # \(origin)"
        }.joined(separator: "\n")
    }

    /// The options for programs, each under its key.
    var lines: [String: Line] {
        Dictionary(uniqueKeysWithValues: resolved.items.map { ($0.key, Line($0)) })
    }

    private func origin(_ item: ResolvedOptions.Item) -> String {
        switch item.origin {
        case .default: "default"
        case .file, .environment: item.source
        case .profile: "profile \(item.name): \(item.source)"
        case .mode: "mode \(item.name): \(item.source)"
        case .custom: "tracking start, \(item.source)"
        case .remote: "remote \(item.source)"
        case .commandLine: "command line"
        case .supply: "low battery"
        }
    }

    /// One option as an object.
    struct Line: Encodable {
        let value: JSONValue
        let origin: String
        let source: String?

        init(_ item: ResolvedOptions.Item) {
            value = JSONValue(value: item.value)
            origin =
                item.origin == .profile || item.origin == .mode
                ? "\(item.origin.title) \(item.name)" : item.origin.title
            source = item.source.isEmpty ? nil : item.source
        }
    }

    /// A value as plain JSON: seconds, metres, flags, words.
    struct JSONValue: Encodable {
        let value: OptionValue

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .duration(let span): try container.encode(span.inSeconds)
            case .length(let metres): try container.encode(metres)
            case .speed(let speed): try container.encode(speed)
            case .angle(let angle): try container.encode(angle)
            case .number(let number): try container.encode(number)
            case .count(let count): try container.encode(count)
            case .flag(let flag): try container.encode(flag)
            case .choice(let word), .text(let word): try container.encode(word)
            case .timestamp(let moment): try container.encode(moment.description)
            case .timeOfDay(let time): try container.encode(time.text)
            case .nothing: try container.encodeNil()
            }
        }
    }
}
