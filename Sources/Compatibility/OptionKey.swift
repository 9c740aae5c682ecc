import TrackingOptions

/// The meaning of a key, either outside of sections or in a product's section.
enum OptionKey {
    /// An option, under trackerd's key or another product's.
    case option(TrackingOption, ForeignName.Reading, OptionSystem?)
    /// The name of a profile; these names are allowed.
    case profile([String])
    /// A bubble as one object: whether it is on, and its radius.
    case bubble(isOn: String, radius: String)
    /// The options object of one product.
    case section(OptionSystem)
    /// A group into which a product sorts its options.
    case group
    /// A key of a product that has no effect on tracking.
    case withoutEffect(OptionSystem)

    /// Finds the meaning of a key.
    ///
    /// Outside of sections (nil) all keys are known; in a product's section only the product's own keys are known.
    init?(_ key: String, in system: OptionSystem?) {
        let systems = system.map { [$0] } ?? OptionSystem.allCases
        if let known = Self.special(key, in: system) ?? Self.option(key, in: system) {
            self = known
        } else if system?.groups.contains(key) == true {
            self = .group
        } else if let other = systems.first(where: { $0.keysWithoutEffect.contains(key) }) {
            self = .withoutEffect(other)
        } else {
            return nil
        }
    }

    /// Returns all known keys, for a hint.
    static func known(in system: OptionSystem?) -> [String] {
        guard let system else {
            return TrackingOption.all.map(\.key) + ForeignName.all.map(\.key) + ["profile", "preset"]
                + OptionSystem.allCases.map(\.rawValue)
        }
        return ForeignName.all.filter { $0.system == system }.map(\.key)
    }

    private static func special(_ key: String, in system: OptionSystem?) -> OptionKey? {
        switch (key, system) {
        case ("profile", nil): return .profile(Profile.all.map(\.name))
        case ("preset", nil), ("preset", .radar): return .profile(Radar.presets)
        case ("stoppedGeofence", nil), ("stoppedGeofence", .radar):
            return .bubble(isOn: "useStoppedGeofence", radius: "stoppedGeofenceRadius")
        case ("movingGeofence", nil), ("movingGeofence", .radar):
            return .bubble(isOn: "useMovingGeofence", radius: "movingGeofenceRadius")
        case (_, nil): return OptionSystem(rawValue: key).map(OptionKey.section)
        case (_, .some): return nil
        }
    }

    private static func option(_ key: String, in system: OptionSystem?) -> OptionKey? {
        if system == nil, let option = TrackingOption.named(key) { return .option(option, option.ownReading, nil) }
        let name = ForeignName.all.first { $0.key == key && (system == nil || $0.system == system) }
        guard let name, let option = TrackingOption.named(name.option) else { return nil }
        return .option(option, name.reading, name.system)
    }
}

extension TrackingOption {
    /// How to read values under trackerd's own key: it accepts the words and codes of products with the same key, but not their
    /// units.
    fileprivate var ownReading: ForeignName.Reading {
        let words = names.flatMap { name -> [ForeignName.Pair] in
            if case .words(let pairs) = name.reading, name.key == key { pairs } else { [] }
        }
        return words.isEmpty ? .same : .words(words)
    }
}
