/// A value for an option, and where it was written.
package struct OptionAssignment: Sendable, Hashable, Codable {
    /// The option.
    package let key: String
    /// Its value.
    package let value: OptionValue
    /// Where it was written: a table of a seed, a file and line, a variable; for people to read.
    package let source: String

    /// Assigns a value.
    package init(_ key: String, _ value: OptionValue, source: String) {
        self.key = key
        self.value = value
        self.source = source
    }
}

extension [OptionAssignment] {
    /// Assigns several values that come from the same place.
    package static func from(_ source: String, _ values: KeyValuePairs<String, OptionValue>) -> [OptionAssignment] {
        values.map { OptionAssignment($0.key, $0.value, source: source) }
    }
}

/// Where values come from; what comes later in this list goes over what comes earlier.
package enum OptionOrigin: String, Sendable, Hashable, Codable, CaseIterable {
    /// The default of the option.
    case `default`
    /// A profile.
    case profile
    /// The configuration file.
    case file
    /// What was given with the order to track, in place of profile and file.
    case custom
    /// A monitoring mode that was switched to while running.
    case mode
    /// The server.
    case remote
    /// A variable of the environment.
    case environment
    /// The command line.
    case commandLine
    /// A battery that is low: what saves current goes over everything.
    case supply

    /// What people call it.
    package var title: String {
        switch self {
        case .default, .profile, .file, .custom, .mode, .remote, .environment, .supply: rawValue
        case .commandLine: "command line"
        }
    }
}

/// Values that come from one place.
package struct OptionLayer: Sendable, Hashable, Codable {
    /// Where they come from.
    package let origin: OptionOrigin
    /// The profile, the mode, the file: whatever names the place.
    package let name: String
    /// Whether they hold on a trip only, or off it only; nothing when they always hold.
    package let onTrip: Bool?
    /// The values; of two for one option the later one holds.
    package let assignments: [OptionAssignment]

    /// Puts a layer together.
    package init(_ origin: OptionOrigin, name: String, onTrip: Bool? = nil, _ assignments: [OptionAssignment]) {
        self.origin = origin
        self.name = name
        self.onTrip = onTrip
        self.assignments = assignments
    }

    /// The layer of a profile.
    package static func profile(_ profile: Profile) -> OptionLayer {
        OptionLayer(.profile, name: profile.name, profile.assignments)
    }

    func applies(isOnTrip: Bool) -> Bool { onTrip == nil || onTrip == isOnTrip }
}
