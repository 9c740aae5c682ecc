import Calendar
import Compatibility
import Quantities
import Tracking
import TrackingOptions

/// The tables of docs/configuration.md: options and profiles.
package enum OptionTables {
    package static var options: String {
        let header = ["| key | value | default | does | in sections |", "| --- | --- | --- | --- | --- |"]
        return (header + TrackingOption.all.map(row)).joined(separator: "\n")
    }

    package static var profiles: String {
        let header = ["| profile | what it is |", "| --- | --- |"]
        return (header + Profile.all.map { "| `\($0.name)` | \($0.text) |" }).joined(separator: "\n")
    }

    private static func row(_ option: TrackingOption) -> String {
        let initial = option.value(in: TrackingOptions())
        let shown = initial == .nothing ? "none" : initial.description.replacing("\"", with: "")
        let names = option.names.map(name(of: option)).joined(separator: "; ")
        return "| `\(option.key)` | \(values(option.kind)) | \(shown) | \(option.text) | \(names) |"
    }

    private static func values(_ kind: OptionKind) -> String {
        switch kind {
        case .duration(let range):
            "time, \(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound))"
        case .metres(let range): bounds("m", range.lowerBound.value, range.upperBound.value)
        case .speed(let range): bounds("m/s", range.lowerBound.value, range.upperBound.value)
        case .degrees(let range): bounds("°", range.lowerBound.value, range.upperBound.value)
        case .number(let range): bounds("number", range.lowerBound, range.upperBound)
        case .count(let range): bounds("count", Double(range.lowerBound), Double(range.upperBound))
        case .flag: "`true`, `false`"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .text(let maximum): "text of at most \(maximum) characters"
        case .timestamp: "ISO 8601"
        case .timeOfDay: "HH:MM"
        case .crontab: "crontab fields"
        }
    }

    private static func bounds(_ unit: String, _ lowest: Double, _ highest: Double) -> String {
        "\(unit), \(NumberText.write(lowest)) to \(NumberText.write(highest))"
    }

    private static func name(of option: TrackingOption) -> (ForeignName) -> String {
        { name in
            let system = name.system.title
            let key = name.key == option.key ? system : "\(system) `\(name.key)`"
            guard case .unit(let unit, _) = name.reading else { return key }
            return "\(key) (\(unit))"
        }
    }
}
