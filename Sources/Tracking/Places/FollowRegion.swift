import Quantities

/// A circle that moves along: centred anew at each record, and leaving it asks for the next one.
///
/// It has no transitions; the record that it asks for carries OwnTracks' trigger `C`.
package struct FollowRegion: Sendable, Hashable, Codable {
    /// What it is known by.
    package let name: RegionName
    /// Its radius is the distance that is covered in this time.
    package let lead: Duration
    private var centre: Coordinate?
    private var radius = Self.smallestRadius
    private var wasOutside = false

    /// Makes a circle that lies nowhere until the first record.
    package init(_ name: RegionName, lead: Duration = Self.usualLead) {
        self.name = name
        self.lead = lead
    }

    /// Centres it at a record.
    package mutating func recentre(at position: Position) {
        centre = position.coordinate
        let covered = Metres((position.speed ?? .zero).value * lead.inSeconds)
        radius = max(Self.smallestRadius, covered)
        wasOutside = false
    }

    /// Whether a fix shows that it was left, which asks for a record: by more than the error, or twice in a row.
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
