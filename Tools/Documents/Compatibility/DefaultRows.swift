import Compatibility
package import TrackingOptions

/// An option that has another default in the section of a product than outside of the sections.
package struct DefaultRow: Sendable, Hashable {
    /// The product, and its platform if the platforms differ.
    package let system: String
    /// The option.
    package let key: String
    /// The product's default, which applies in its section.
    package let inSection: OptionValue
    /// The default outside of the sections.
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

    /// The table in Markdown.
    package static var table: String {
        let header = ["| section | option | default there | outside | why |", "| --- | --- | --- | --- | --- |"]
        return (header + all.map(\.line)).joined(separator: "\n")
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
        "| \(system) | `\(key)` | \(inSection) | \(outside) | \(reason) |".replacing("\"", with: "")
    }

    private static let reasons = [
        "monitoring": "a tracker of vehicles records the whole route",
        "desiredAccuracy": "a vehicle has open sky and a supply; nothing but GPS locates it",
        "desiredMovingUpdateInterval": "the distance rule records instead",
        "desiredStoppedUpdateInterval": "a parked vehicle is silent",
        "fastestMovingUpdateInterval": "a receiver has one fix a second",
        "heartbeatInterval": "a parked vehicle is silent; the option switches the ping on",
        "distanceFilter": "the distance rule is what records a route by default",
        "disableElasticity": "elasticity belongs to the distance rule",
        "useSignificantLocationChanges": "the distance rule records instead",
        "stopDuration": "a vehicle whose engine idles has stopped, too",
        "stopDistance": "a vehicle whose engine idles has stopped, too",
        "stationaryInterval": "the accelerometer and the place rule detect stops",
        "useMovingGeofence": "the receiver is on while the vehicle moves",
        "stoppedGeofenceRadius": "has an effect only with `useStoppedGeofence`",
        "movingGeofenceRadius": "has an effect only with `useMovingGeofence`",
        "syncGeofencesLimit": "has an effect only with `syncGeofences`",
        "desiredSyncInterval": "the records of 20 s share a connection",
        "sync": "a stop without its route is of little use",
        "replay": "no record is lost unless somebody asks for it",
    ]
}
