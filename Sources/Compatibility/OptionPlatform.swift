/// The platform of an options object; some products have different keys and defaults on each platform.
package enum OptionPlatform: String, Sendable, Hashable, CaseIterable {
    /// The product's app or SDK for iOS.
    case ios
    /// The product's app or SDK for Android.
    case android

    var title: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        }
    }
}

extension OptionSystem {
    /// Returns the platform to which these keys belong: the only platform that has some of them, else iOS.
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
