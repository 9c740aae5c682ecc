import Control
import TrackingOptions

/// As a configuration file, or as JSON.
struct OptionListing {
    let options: [ControlOption]

    init(_ options: [ControlOption]) { self.options = options }

    init(resolved: ResolvedOptions) { options = resolved.items.map(ControlOption.init) }

    /// `key: value`, with the origin of the value as a comment.
    var text: String {
        let lines = options.map { ("\($0.key): \($0.text)", $0.comment) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { line, comment in
            "\(line)\(String(repeating: " ", count: width - line.count))  # \(comment)"
        }.joined(separator: "\n")
    }

    var lines: [String: Line] {
        Dictionary(options.map { ($0.key, Line(value: $0.value, origin: $0.origin, source: $0.source)) }) { $1 }
    }

    struct Line: Encodable {
        let value: PlainValue
        let origin: String
        let source: String?
    }
}
