import Tracking
package import TrackingOptions

package struct ShowOptionsRequest: ControlRequest {
    package static let isReading = true
    static let optionKey = ControlKey("option", "the key of one option, by default all")
    package static let manual = ControlManual(
        "config show", "Shows each tracking option in force with its origin.", keys: [optionKey],
        command: "`trackerd config show`",
        response:
            "a list of the options, each with `key`, `value` (in seconds, metres, m/s or degrees), `text` (as in a file), `origin`, `source` and `comment`"
    )

    /// Nil for all options.
    package let option: String?

    package init?(_ reader: inout RequestReader) {
        option = reader.text(Self.optionKey)
        guard let option, TrackingOption.named(option) == nil else { return }
        let hint = Spelling.nearest(to: option, among: TrackingOption.all.map(\.key)).map { " Did you mean `\($0)`?" }
        reader.note("`\(option)` is not an option.\(hint ?? " `trackerd profiles vehicle` lists all.")")
    }

    package func run(in session: any Session) -> [ControlOption]? {
        session.engine.resolvedOptions.items.filter { $0.key == option ?? $0.key }.map(ControlOption.init)
    }
}

package struct ControlOption: Codable, Sendable, Hashable {
    package let key: String
    package let value: PlainValue
    /// The value as in a configuration file.
    package let text: String
    /// The origin of the value, such as the file, or a profile or a mode with its name.
    package let origin: String
    /// The place of the value, such as a file and a line; nil for a default, unless a configured beacon sets it.
    package let source: String?
    package let comment: String

    package init(_ item: ResolvedOptions.Item) {
        key = item.key
        value = PlainValue(item.value)
        text = item.value.description
        let isNamed = item.origin == .profile || item.origin == .mode
        origin = isNamed ? "\(item.origin.title) \(item.name)" : item.origin.title
        source = item.source.isEmpty ? nil : item.source
        let place =
            switch item.origin {
            case .default: item.source.isEmpty ? "default" : item.source
            case .file, .environment: item.source
            case .profile: "profile \(item.name): \(item.source)"
            case .mode: "mode \(item.name): \(item.source)"
            case .custom: "tracking start, \(item.source)"
            case .remote: "remote \(item.source)"
            case .commandLine: "command line"
            case .supply: "low battery"
            }
        let withheld = item.withheld.map {
            "; the server's \($0.value) does not apply, because the server has no permission to set it"
        }
        comment = place + (withheld ?? "")
    }
}
