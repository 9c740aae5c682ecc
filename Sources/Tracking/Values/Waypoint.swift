package import Quantities

/// A place that was marked by hand, as OwnTracks has it.
package struct Waypoint: Sendable, Hashable, Codable {
    /// What it is called; empty when it has no description.
    package var text: String
    /// Where; nothing when only a beacon tells.
    package var coordinate: Coordinate?
    /// Radius of the circle that is watched; zero or nothing: no circle; negative: the place follows the beacon.
    package var radius: Metres?
    /// The beacon that is watched.
    package var beacon: BeaconIdentity?
    /// When it was made: its key.
    package var defined: Timestamp
    /// The key of the region, when the server gave one.
    package var id: String?
    /// Whether the tracker marked it unasked: such a one is neither told nor watched.
    package var isAutomatic: Bool
    /// Whether messages tell of it and name it; its transitions are told in any case.
    package var isShared: Bool

    /// Makes a waypoint.
    package init(
        text: String, coordinate: Coordinate? = nil, radius: Metres? = nil, beacon: BeaconIdentity? = nil,
        defined: Timestamp, id: String? = nil, isAutomatic: Bool = false, isShared: Bool = true
    ) {
        self.text = text
        self.coordinate = coordinate
        self.radius = radius
        self.beacon = beacon
        self.defined = defined
        self.id = id
        self.isAutomatic = isAutomatic
        self.isShared = isShared
    }
}

/// Which iBeacons are meant.
package struct BeaconIdentity: Sendable, Hashable, Codable {
    /// Proximity UUID in lower case, with hyphens.
    package var uuid: String
    /// Major number; nothing: any.
    package var major: UInt16?
    /// Minor number; nothing: any.
    package var minor: UInt16?

    /// Makes an identity.
    package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// Whether a sighting is of such a beacon.
    package func matches(_ sighting: BeaconSighting) -> Bool {
        uuid == sighting.uuid && (major ?? sighting.major) == sighting.major
            && (minor ?? sighting.minor) == sighting.minor
    }
}
