package import Quantities

/// A waypoint as in OwnTracks: a place that a user marked by hand.
package struct Waypoint: Sendable, Hashable, Codable {
    /// The description; empty if there is none.
    package var text: String
    /// The place; nil if the waypoint is only a beacon.
    package var coordinate: Coordinate?
    /// Radius of the circle; nil or zero for no circle.
    ///
    /// If a waypoint with a beacon has a negative radius, each entry and exit moves the waypoint to the vehicle.
    package var radius: Metres?
    package var beacon: BeaconIdentity?
    /// When the waypoint was made; OwnTracks uses this time as its key.
    package var defined: Timestamp
    /// The key of the region; nil unless the server assigned one.
    package var id: String?
    /// Whether a program made the waypoint automatically; the tracker neither sends nor watches such a waypoint.
    package var isAutomatic: Bool
    /// Whether messages include the waypoint and its name; the tracker sends transitions of the waypoint's region in any case.
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
