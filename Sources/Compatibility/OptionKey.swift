import TrackingOptions

enum OptionKey {
    /// An option under trackerd's key or under that of another product.
    case option(TrackingOption, ForeignName.Reading)
    /// A key that sets the value together with other keys.
    case part(TrackingOption, ForeignName.Reading)
    case profile
    case preset
    case platform
    /// Radar's bubble around the vehicle: whether it is on, and its radius.
    case bubble(isOn: String, radius: String)
    /// Trckr's switch; an example in Trckr's documentation sets it to a schedule.
    case trackingEnabled
    case section(OptionSystem)
    case group
    case withoutEffect(OptionSystem)
    /// A key of these products that stands outside of their sections.
    case foreign([OptionSystem])

    /// The meaning of a key. In a section, only the keys of its product are valid; outside of sections (`system` is
    /// nil), only trackerd's own.
    init?(_ key: String, in system: OptionSystem?) {
        guard let known = system.map({ Self.meaning(key, of: $0) }) ?? Self.own(key) else { return nil }
        self = known
    }

    /// The keys that a hint about a wrong key may suggest. Outside of sections they include those of other products.
    static func known(in system: OptionSystem?) -> [String] {
        guard let system else {
            return TrackingOption.all.map(\.key) + ForeignName.all.map(\.key) + ["profile"]
                + OptionSystem.allCases.map(\.rawValue)
        }
        return ForeignName.all.filter { $0.system == system }.map(\.key) + system.otherKeys
    }

    private static func own(_ key: String) -> OptionKey? {
        if key == "profile" { return .profile }
        if let system = OptionSystem(rawValue: key) { return .section(system) }
        if let option = TrackingOption.named(key) { return .option(option, .same) }
        let owners = OptionSystem.allCases.filter { meaning(key, of: $0) != nil }
        return owners.isEmpty ? nil : .foreign(owners)
    }

    private static func meaning(_ key: String, of system: OptionSystem) -> OptionKey? {
        switch (key, system) {
        case ("platform", .radar), ("platform", .ownTracks): .platform
        case ("preset", .radar): .preset
        case ("stoppedGeofence", .radar): .bubble(isOn: "useStoppedGeofence", radius: "stoppedGeofenceRadius")
        case ("movingGeofence", .radar): .bubble(isOn: "useMovingGeofence", radius: "movingGeofenceRadius")
        case ("trackingEnabled", .trckr): .trackingEnabled
        default: option(key, of: system) ?? other(key, of: system)
        }
    }

    private static func option(_ key: String, of system: OptionSystem) -> OptionKey? {
        guard let name = ForeignName.all.first(where: { $0.key == key && $0.system == system }),
            let option = TrackingOption.named(name.option)
        else { return nil }
        let isPart = name.reading == .together || (system == .ownTracks && OwnTracksLocator.keys.contains(key))
        return isPart ? .part(option, name.reading) : .option(option, name.reading)
    }

    private static func other(_ key: String, of system: OptionSystem) -> OptionKey? {
        if system.groups.contains(key) { return .group }
        return system.keysWithoutEffect.contains(key) ? .withoutEffect(system) : nil
    }
}

extension OptionSystem {
    /// The keys that are not names of single options.
    fileprivate var otherKeys: [String] {
        switch self {
        case .radar: ["platform", "preset", "stoppedGeofence", "movingGeofence"]
        case .ownTracks: ["platform"]
        case .trckr: ["trackingEnabled"]
        case .transistor, .geoManager: []
        }
    }
}
