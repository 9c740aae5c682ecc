package import TrackingOptions

/// The products that have their own keys for trackerd's options.
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

    /// Keys of the product that have no influence on tracking; trackerd accepts and ignores them.
    package var keysWithoutEffect: [String] {
        switch self {
        case .radar: Radar.keysWithoutEffect
        case .transistor: Transistor.keysWithoutEffect
        case .trckr, .geoManager: []
        case .ownTracks: OwnTracks.keysWithoutEffect
        }
    }

    var groups: [String] {
        switch self {
        case .transistor: Transistor.groups
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
