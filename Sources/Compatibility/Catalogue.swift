package import TrackingOptions

extension ForeignName {
    package static let all = radar + transistor + trckr + geoManager + ownTracks
}

extension TrackingOption {
    package var names: [ForeignName] { ForeignName.all.filter { $0.option == key } }
}

extension OptionSystem {
    package var keysWithoutEffect: [String] {
        switch self {
        case .radar: Self.radarKeysWithoutEffect
        case .transistor: Self.transistorKeysWithoutEffect
        case .trckr, .geoManager: []
        case .ownTracks: Self.ownTracksKeysWithoutEffect
        }
    }

    var groups: [String] {
        switch self {
        case .transistor: Self.transistorGroups
        case .radar, .trckr, .geoManager, .ownTracks: []
        }
    }
}

extension Profile {
    package static let all =
        [vehicle] + radarOnAndroid + radarOnIOS + [motion, trckr, interval]
        + [quiet, manual, significant, move, significantOnAndroid, moveOnAndroid]

    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
