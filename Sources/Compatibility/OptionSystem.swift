/// Products that have their own keys for trackerd's options.
package enum OptionSystem: String, Sendable, Hashable, CaseIterable {
    case radar
    case transistor
    case trckr
    case geoManager
    case ownTracks

    package var title: String {
        switch self {
        case .radar: "Radar"
        case .transistor: "Transistor"
        case .trckr: "Trckr"
        case .geoManager: "GeoManager"
        case .ownTracks: "OwnTracks"
        }
    }
}

/// The operating system of a phone, on which some products' keys and defaults depend.
package enum OptionPlatform: String, Sendable, Hashable, CaseIterable {
    case ios
    case android

    var title: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        }
    }
}

extension OptionSystem {
    /// Android, if some of these keys exist only there and none only on iOS; otherwise iOS.
    func platform(of entries: [OptionTree.Entry]) -> OptionPlatform {
        func has(_ keys: [String]) -> Bool { entries.contains { keys.contains($0.key) } }
        return has(keysOnAndroid) && !has(keysOnIOS) ? .android : .ios
    }

    private var keysOnAndroid: [String] {
        switch self {
        case .radar:
            [
                "fastestStoppedUpdateInterval", "fastestMovingUpdateInterval", "syncGeofencesLimit",
                "foregroundService", "foregroundServiceEnabled",
            ]
        case .ownTracks: ["moveModeLocatorInterval", "locatorPriority", "pegLocatorFastestIntervalToInterval"]
        case .transistor, .trckr, .geoManager: []
        }
    }

    private var keysOnIOS: [String] {
        switch self {
        case .radar: ["syncLocations", "showBlueBar", "useVisits", "useSignificantLocationChanges"]
        case .transistor, .trckr, .geoManager, .ownTracks: []
        }
    }
}
