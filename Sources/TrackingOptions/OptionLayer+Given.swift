extension OptionLayer {
    /// The values that somebody has set, without the values of a profile.
    package var given: ArraySlice<OptionAssignment> { assignments.dropFirst(profileCount) }

    /// The name of the profile whose values precede the set values in this layer; nil if there is none, and in a layer of
    /// origin `profile`.
    package var profileName: String? {
        guard profileCount > 0, origin != .profile else { return nil }
        let source = assignments.first?.source.dropFirst(Profile.prefix.count)
        return source?.split(separator: ":").first.map(String.init)
    }
}

extension OptionAssignment {
    /// Whether the value belongs to a profile; if not, somebody has set it.
    package var isOfProfile: Bool { source.hasPrefix(Profile.prefix) }
}

extension OptionLayers {
    /// Returns the value that somebody has set for an option; nil if only a profile, a mode or a default sets the option.
    package func given(_ key: String, isOnTrip: Bool) -> OptionAssignment? {
        var given: OptionAssignment?
        for layer in layers where layer.applies(isOnTrip: isOnTrip) && layer.origin != .mode {
            // The values of a profile hide all layers below.
            if layer.profileCount > 0 { given = nil }
            given = layer.given.last { $0.key == key } ?? given
        }
        return given
    }

    /// Returns whether somebody has set `beacons` to false; if so, a configured beacon does not switch scanning on.
    package func forbidBeacons(isOnTrip: Bool) -> Bool { given("beacons", isOnTrip: isOnTrip)?.value == .flag(false) }
}
