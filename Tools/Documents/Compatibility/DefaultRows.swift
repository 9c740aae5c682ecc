import Compatibility
package import TrackingOptions

/// An option whose default in the section of a product differs from the default outside of these sections.
package struct DefaultRow: Sendable, Hashable {
    /// The product, and its platform if the platforms differ.
    package let system: String
    package let key: String
    package let inSection: OptionValue
    package let outside: OptionValue

    /// All rows: for each product and platform, one per option for which the product has a name and another default.
    package static var all: [DefaultRow] {
        OptionSystem.allCases.flatMap { system in
            let platforms: [String?] = [.radar, .ownTracks].contains(system) ? ["ios", "android"] : [nil]
            return platforms.flatMap { rows(of: system, on: $0) }
        }
    }

    /// The table in Markdown, one line for all sections in which an option has the same default.
    package static var table: String {
        var groups: [(systems: [String], line: String)] = []
        for row in all {
            if let index = groups.firstIndex(where: { $0.line == row.line }) {
                groups[index].systems.append(row.system)
            } else {
                groups.append(([row.system], row.line))
            }
        }
        let header = ["| option | there | here | sections |", "| --- | --- | --- | --- |"]
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
                ? nil : DefaultRow(system: title, key: option.key, inSection: theirs, outside: ours)
        }
    }

    private var line: String {
        "| `\(key)` | \(inSection) | \(outside) |".replacing("\"", with: "")
    }
}
