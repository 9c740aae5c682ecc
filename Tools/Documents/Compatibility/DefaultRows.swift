import Compatibility
package import TrackingOptions

/// An option that has another default in the section of a product than outside of the sections.
package struct DefaultRow: Sendable, Hashable {
    /// The product, and its platform if the platforms differ.
    package let system: String
    package let key: String
    package let inSection: OptionValue
    package let outside: OptionValue
    /// The reason why the two defaults differ; empty if no reason is recorded.
    package let reason: String

    /// All rows, one per option for which the product has a name and another default.
    package static var all: [DefaultRow] {
        OptionSystem.allCases.flatMap { system in
            let platforms: [String?] = [.radar, .ownTracks].contains(system) ? ["ios", "android"] : [nil]
            return platforms.flatMap { rows(of: system, on: $0) }
        }
    }

    /// The table in Markdown, one line for all sections with the same default.
    package static var table: String {
        var groups: [(systems: [String], line: String)] = []
        for row in all {
            if let index = groups.firstIndex(where: { $0.line == row.line }) {
                groups[index].systems.append(row.system)
            } else {
                groups.append(([row.system], row.line))
            }
        }
        let header = ["| option | there | here | why | sections |", "| --- | --- | --- | --- | --- |"]
        return (header + groups.map { "\($0.line) \($0.systems.joined(separator: "; ")) |" }).joined(separator: "\n")
    }

    private static func rows(of system: OptionSystem, on platform: String?) -> [DefaultRow] {
        let parts = platform.map { [OptionTree.Entry("platform", line: nil, .text($0))] } ?? []
        let section = OptionTree.Entry(system.rawValue, line: nil, .mapping(parts))
        let reading = OptionReader.read([section], path: "tracking") { _ in "" }
        let defaults = OptionLayer(.file, name: "", reading.assignments)
        let inSection = OptionLayers([.profile(reading.profile ?? .vehicle), defaults]).resolve(isOnTrip: false)
        let title = platform.map { "\(system.title), \($0 == "ios" ? "iOS" : "Android")" } ?? system.title
        return TrackingOption.all.compactMap { option in
            guard option.names.contains(where: { $0.system == system }),
                let theirs = inSection.item(option.key)?.value
            else { return nil }
            let ours = option.value(in: TrackingOptions())
            return theirs == ours
                ? nil
                : DefaultRow(
                    system: title, key: option.key, inSection: theirs, outside: ours,
                    reason: reasons[option.key] ?? "")
        }
    }

    private var line: String {
        "| `\(key)` | \(inSection) | \(outside) | \(reason) |".replacing("\"", with: "")
    }

    private static let reasons = [
        "monitoring": "a tracker of vehicles records the whole route",
        "desiredAccuracy": "GPS is the only source, and the vehicle supplies the power",
        "desiredMovingUpdateInterval": "the distance rule records instead",
        "desiredStoppedUpdateInterval": "a parked vehicle is silent",
        "fastestMovingUpdateInterval": "a receiver reports one fix per second",
        "heartbeatInterval": "a parked vehicle sends no ping",
        "distanceFilter": "the distance rule records the route",
        "disableElasticity": "elasticity belongs to the distance rule",
        "useSignificantLocationChanges": "the distance rule records instead",
        "stopDuration": "also detects a stop with the engine idling",
        "stopDistance": "also detects a stop with the engine idling",
        "stationaryInterval": "the accelerometer and the place rule detect stops",
        "useMovingGeofence": "the receiver is on while the vehicle moves",
        "stoppedGeofenceRadius": "only with `useStoppedGeofence`",
        "movingGeofenceRadius": "only with `useMovingGeofence`",
        "syncGeofencesLimit": "only with `syncGeofences`",
        "desiredSyncInterval": "one connection carries the records of 20 s",
        "sync": "a stop without its route is of little use",
        "replay": "nothing is dropped unless you ask",
    ]
}
