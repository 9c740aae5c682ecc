package struct OptionAssignment: Sendable, Hashable, Codable {
    package let key: String
    package let value: OptionValue
    /// Where the value comes from, such as a file and line, an environment variable, or the document behind a profile.
    package let source: String
    /// The only mode in which the value applies, because some keys of OwnTracks are for one mode; nil means any mode.
    package let mode: MonitoringMode?

    package init(_ key: String, _ value: OptionValue, source: String, in mode: MonitoringMode? = nil) {
        self.key = key
        self.value = value
        self.source = source
        self.mode = mode
    }

    /// The beginning of the source of each value in `Profile.complete`; the profile's name and a colon follow.
    static let profilePrefix = "profile "

    package var isOfProfile: Bool { source.hasPrefix(Self.profilePrefix) }

    /// The name of the profile with this value.
    fileprivate var profile: String? {
        guard isOfProfile else { return nil }
        return source.dropFirst(Self.profilePrefix.count).split(separator: ":").first.map(String.init)
    }
}

extension [OptionAssignment] {
    package static func from(_ source: String, _ values: KeyValuePairs<String, OptionValue>) -> [OptionAssignment] {
        values.map { OptionAssignment($0.key, $0.value, source: source) }
    }
}

/// A later origin overrides an earlier one.
package enum OptionOrigin: String, Sendable, Hashable, Codable, CaseIterable {
    case `default`
    case profile
    case file
    /// Options of `tracking start`, which replace the profile and the file.
    case custom
    case mode
    case remote
    case environment
    case commandLine
    /// Options that save power while the battery is low, and override all others.
    case supply

    package var title: String {
        switch self {
        case .default, .profile, .file, .custom, .mode, .remote, .environment, .supply: rawValue
        case .commandLine: "command line"
        }
    }
}

package struct OptionLayer: Sendable, Hashable, Codable {
    package let origin: OptionOrigin
    /// The name of the profile, the mode, the file, or the target whose server has set the values.
    package let name: String
    /// True if the layer applies only on a trip, false if only between trips; nil means always.
    package let onTrip: Bool?
    /// A later value of an option overrides an earlier one.
    package let assignments: [OptionAssignment]
    /// Nil means all values in a layer of origin `profile`, none in any other.
    private let ofProfile: Int?

    /// How many of the first values come from a profile; a mode replaces these.
    package var profileCount: Int { ofProfile ?? (origin == .profile ? assignments.count : 0) }

    package static let modeKey = "monitoring"

    package init(
        _ origin: OptionOrigin, name: String, onTrip: Bool? = nil, _ assignments: [OptionAssignment],
        ofProfile: Int? = nil
    ) {
        self.origin = origin
        self.name = name
        self.onTrip = onTrip
        self.assignments = assignments
        self.ofProfile = ofProfile
    }

    package func named(_ target: String) -> OptionLayer {
        OptionLayer(origin, name: target, onTrip: onTrip, assignments, ofProfile: ofProfile)
    }

    func applies(isOnTrip: Bool) -> Bool { onTrip == nil || onTrip == isOnTrip }

    package var given: ArraySlice<OptionAssignment> { assignments.dropFirst(max(profileCount, serverMode.count)) }

    /// The profile whose values precede the given ones; nil in a layer of origin `profile` too.
    package var profileName: String? {
        profileCount > 0 && origin != .profile ? assignments.first?.profile : nil
    }

    /// The values of the mode that a server has set with OwnTracks' `monitoring`; empty if it has set none. Like those of the
    /// order `mode`, they replace the profile, but not the owner's values.
    var serverMode: [OptionAssignment] {
        guard origin == .remote, let profile = assignments.first?.profile,
            case .choice(let mode)? = assignments.last(where: { $0.key == Self.modeKey && !$0.isOfProfile })?.value,
            [mode, "\(mode)-android"].contains(profile)
        else { return [] }
        return assignments.filter(\.isOfProfile)
    }
}
