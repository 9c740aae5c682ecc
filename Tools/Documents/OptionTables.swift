import Calendar
import Compatibility
import Quantities
import TrackingOptions

/// The tables of docs/configuration.md: options and profiles.
package enum OptionTables {
    /// The options that most trackers need, the most needed first.
    private static let mainKeys = [
        "distanceFilter", "turnFilter", "desiredMovingUpdateInterval", "desiredStoppedUpdateInterval",
        "stopTimeout", "stopDuration", "stopDistance", "tripGap", "stopOnIgnitionOff", "stationaryRadius",
        "parkedCheckInterval", "desiredAccuracy", "accuracyLimit", "fixTimeout", "desiredSyncInterval",
        "sync", "replay", "monitoring", "heartbeatInterval", "drivingEvents", "speedLimit",
        "maxDaysToPersist", "trackingSchedule", "privateTimes", "indicator",
    ]

    package static var main: String { table(mainKeys.compactMap(TrackingOption.named)) }

    package static var others: String { table(TrackingOption.all.filter { !mainKeys.contains($0.key) }) }

    package static var profiles: String {
        let header = ["| profile | what it is |", "| --- | --- |"]
        return (header + Profile.all.map { "| `\($0.name)` | \($0.text) |" }).joined(separator: "\n")
    }

    private static func table(_ options: [TrackingOption]) -> String {
        let inForce = OptionLayers([.profile(.vehicle)]).resolve(isOnTrip: false)
        let header = ["| key | value | default | what it does |", "| --- | --- | --- | --- |"]
        let rows = options.map { option in
            let initial = inForce.item(option.key)?.value ?? .nothing
            let shown = initial == .nothing ? "none" : initial.description.replacing("\"", with: "")
            return "| `\(option.key)` | \(values(option.kind)) | \(shown) | \(option.text) |"
        }
        return (header + rows).joined(separator: "\n")
    }

    private static func values(_ kind: OptionKind) -> String {
        switch kind {
        case .duration(let range):
            "\(DurationText.write(range.lowerBound))–\(DurationText.write(range.upperBound))"
        case .metres(let range): bounds(" m", range.lowerBound.value, range.upperBound.value)
        case .speed(let range): bounds(" m/s", range.lowerBound.value, range.upperBound.value)
        case .degrees(let range): bounds("°", range.lowerBound.value, range.upperBound.value)
        case .number(let range): bounds("", range.lowerBound, range.upperBound)
        case .count(let range): bounds("", Double(range.lowerBound), Double(range.upperBound))
        case .flag: "`true`, `false`"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .text(let maximum): "text of at most \(maximum) characters"
        case .timestamp: "ISO 8601"
        case .timeOfDay: "HH:MM"
        case .crontab: "crontab fields"
        }
    }

    private static func bounds(_ unit: String, _ lowest: Double, _ highest: Double) -> String {
        "\(NumberText.write(lowest))–\(NumberText.write(highest))\(unit)"
    }
}
