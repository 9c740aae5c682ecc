package import Quantities

/// A place or beacon that a user, a server or a program marked, as in OwnTracks.
package struct Waypoint: Sendable, Hashable, Codable {
    /// Empty if there is no description.
    package var text: String
    /// Nil if the waypoint is only a beacon.
    package var coordinate: Coordinate?
    /// The radius of the circle; nil or zero for none. With a beacon and a negative radius, each crossing moves the
    /// waypoint.
    package var radius: Metres?
    package var beacon: BeaconIdentity?
    /// OwnTracks uses this time as the waypoint's key.
    package var defined: Timestamp
    /// The key that a server assigned to the waypoint's region; nil if none did.
    package var id: String?
    /// True if a program has made the waypoint; the tracker then neither sends nor watches it.
    package var isAutomatic: Bool
    /// Whether messages include the waypoint and its name. Transitions of its region are sent in any case.
    package var isShared: Bool
    /// The target whose server has set the waypoint; nil if the owner has set it.
    package var server: String?

    package init(
        text: String, coordinate: Coordinate? = nil, radius: Metres? = nil, beacon: BeaconIdentity? = nil,
        defined: Timestamp, id: String? = nil, isAutomatic: Bool = false, isShared: Bool = true,
        server: String? = nil
    ) {
        self.text = text
        self.coordinate = coordinate
        self.radius = radius
        self.beacon = beacon
        self.defined = defined
        self.id = id
        self.isAutomatic = isAutomatic
        self.isShared = isShared
        self.server = server
    }
}
