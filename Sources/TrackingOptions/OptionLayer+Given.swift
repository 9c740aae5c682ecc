extension OptionLayer {
    /// The values that somebody set, without those of a profile.
    package var given: ArraySlice<OptionAssignment> { assignments.dropFirst(profileCount) }

    /// The profile whose values precede the given ones; nil in a layer of origin `profile` too.
    package var profileName: String? {
        guard profileCount > 0, origin != .profile else { return nil }
        let source = assignments.first?.source.dropFirst(Profile.prefix.count)
        return source?.split(separator: ":").first.map(String.init)
    }
}

extension OptionAssignment {
    package var isOfProfile: Bool { source.hasPrefix(Profile.prefix) }
}

extension OptionLayers {
    /// Nil if only a profile, a mode or a default sets the option.
    package func given(_ key: String, isOnTrip: Bool) -> OptionAssignment? {
        var given: OptionAssignment?
        for layer in layers where layer.applies(isOnTrip: isOnTrip) && layer.origin != .mode {
            // The values of a profile hide all layers below.
            if layer.profileCount > 0 { given = nil }
            given = layer.given.last { $0.key == key } ?? given
        }
        return given
    }

    /// A configured beacon then does not switch scanning on.
    package func forbidBeacons(isOnTrip: Bool) -> Bool { given("beacons", isOnTrip: isOnTrip)?.value == .flag(false) }
}
