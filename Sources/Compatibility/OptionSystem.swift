package import TrackingOptions

/// The products that have their own keys for trackerd's options.
package enum OptionSystem: String, Sendable, Hashable, CaseIterable {
    /// The Radar SDK, on both platforms.
    case radar
    /// Transistor's background geolocation.
    case transistor
    case trckr
    /// The GeoManager of an analytics SDK.
    case geoManager
    /// OwnTracks, on both platforms.
    case ownTracks

    /// The name of the product.
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

    /// The keys of the objects into which the product groups its options.
    var groups: [String] {
        switch self {
        case .transistor: Transistor.groups
        case .radar, .trckr, .geoManager, .ownTracks: []
        }
    }
}

/// The catalogue of profiles.
extension Profile {
    /// All profiles, in the order in which trackerd lists them.
    package static let all =
        [vehicle] + radarOnAndroid + radarOnIOS + [motion, trckr, interval]
        + [quiet, manual, significant, move, significantOnAndroid, moveOnAndroid]

    /// Returns the profile with this name; nil if there is none.
    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
