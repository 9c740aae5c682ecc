import Quantities

/// A circle that moves with the vehicle.
///
/// Each track point becomes the centre. The next track point is due when the vehicle leaves the circle.
///
/// The tracker records no transitions of the circle; the requested track point has OwnTracks' trigger `C`.
package struct FollowRegion: Sendable, Hashable, Codable {
    package let name: RegionName
    /// The travel time that sets the radius: the distance that the vehicle covers in this time, but at least 50 m.
    package let lead: Duration
    private var centre: Coordinate?
    private var radius = Self.smallestRadius
    private var wasOutside = false

    /// Makes a circle without a centre; the first track point sets the centre.
    package init(_ name: RegionName, lead: Duration = Self.usualLead) {
        self.name = name
        self.lead = lead
    }

    /// Returns the distance of a place from the border of the circle, negative inside; nil if the circle has no centre yet.
    func clearance(from place: Coordinate) -> Metres? { centre.map { $0.distance(to: place) - radius } }

    /// Moves the centre to the position of a track point.
    package mutating func recentre(at position: Position) {
        centre = position.coordinate
        let covered = Metres((position.speed ?? .zero).value * lead.inSeconds)
        radius = max(Self.smallestRadius, covered)
        wasOutside = false
    }

    /// Whether the vehicle has left the circle.
    ///
    /// One fix must be outside by more than its error, or two fixes in a row must be outside.
    package mutating func isLeft(by position: Position) -> Bool {
        guard let centre else { return false }
        let outside = centre.distance(to: position.coordinate) - radius
        defer { wasOutside = outside > .zero }
        return outside > (position.accuracy ?? Position.usualError) || (outside > .zero && wasOutside)
    }

    /// The default travel time, as in OwnTracks.
    package static let usualLead = Duration.seconds(30)
    private static let smallestRadius = Metres(50)
}
