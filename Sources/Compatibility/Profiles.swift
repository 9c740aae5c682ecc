package import TrackingOptions

/// The catalogue.
extension Profile {
    /// All profiles, in the order in which they are listed.
    package static let all =
        [vehicle] + radarOnAndroid + radarOnIOS + [motion, trckr, interval]
        + [quiet, manual, significant, move, significantOnAndroid, moveOnAndroid]

    /// The profile of that name.
    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
