import Quantities

/// A circle that moves with the vehicle: each track point becomes its centre, and the next one is due when the vehicle
/// leaves it. Its transitions are not recorded; the track point has OwnTracks' trigger `C`.
package struct FollowRegion: Sendable, Hashable, Codable {
    package let name: RegionName
    /// Its way is the radius, but at least 50 m.
    package let lead: Duration
    private var centre: Coordinate?
    private var radius = Self.smallestRadius
    private var wasOutside = false

    /// The first track point sets the centre.
    package init(_ name: RegionName, lead: Duration = Self.usualLead) {
        self.name = name
        self.lead = lead
    }

    /// Negative inside; nil without a centre.
    func clearance(from place: Coordinate) -> Metres? { centre.map { $0.distance(to: place) - radius } }

    package mutating func recentre(at position: Position) {
        centre = position.coordinate
        let covered = Metres((position.speed ?? .zero).value * lead.inSeconds)
        radius = max(Self.smallestRadius, covered)
        wasOutside = false
    }

    /// By more than the error of a fix, or in two fixes in a row.
    package mutating func isLeft(by position: Position) -> Bool {
        guard let centre else { return false }
        let outside = centre.distance(to: position.coordinate) - radius
        defer { wasOutside = outside > .zero }
        return outside > (position.accuracy ?? Position.usualError) || (outside > .zero && wasOutside)
    }

    /// As in OwnTracks.
    package static let usualLead = Duration.seconds(30)
    private static let smallestRadius = Metres(50)
}
