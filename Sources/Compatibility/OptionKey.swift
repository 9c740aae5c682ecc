import TrackingOptions

/// What a key means where it stands.
enum OptionKey {
    /// An option, under our name or another.
    case option(TrackingOption, ForeignName.Reading, OptionSystem?)
    /// The name of a profile, one of these.
    case profile([String])
    /// A bubble as one object: whether it is on, and its radius.
    case bubble(isOn: String, radius: String)
    /// The options object of one system.
    case section(OptionSystem)
    /// A part into which a system sorts its options.
    case group
    /// Something that a system knows and that says nothing about how the vehicle is tracked.
    case withoutEffect(OptionSystem)

    /// Looks a key up outside of sections, where all names are known, or in the section of a system.
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

    /// All that is known, for a hint.
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
    /// How values under our own name are read: the words and numbers of systems that have the same name mean the same,
    /// their units do not.
    fileprivate var ownReading: ForeignName.Reading {
        let words = names.flatMap { name -> [ForeignName.Pair] in
            if case .words(let pairs) = name.reading, name.key == key { pairs } else { [] }
        }
        return words.isEmpty ? .same : .words(words)
    }
}
