package import Quantities

/// A circle that moves with the vehicle: each record becomes its centre, and leaving it requests the next record.
///
/// It has no transitions; the requested record has OwnTracks' trigger `C`.
package struct FollowRegion: Sendable, Hashable, Codable {
    /// The identity of the region.
    package let name: RegionName
    /// The radius is the distance that the vehicle covers in this time.
    package let lead: Duration
    private var centre: Coordinate?
    private var radius = Self.smallestRadius
    private var wasOutside = false

    /// Makes a circle without a centre; the first record sets it.
    package init(_ name: RegionName, lead: Duration = Self.usualLead) {
        self.name = name
        self.lead = lead
    }

    /// Moves the centre to a record.
    package mutating func recentre(at position: Position) {
        centre = position.coordinate
        let covered = Metres((position.speed ?? .zero).value * lead.inSeconds)
        radius = max(Self.smallestRadius, covered)
        wasOutside = false
    }

    /// Whether a fix shows that the vehicle left the circle: by more than the error, or in two fixes in a row.
    package mutating func isLeft(by position: Position) -> Bool {
        guard let centre else { return false }
        let outside = centre.distance(to: position.coordinate) - radius
        defer { wasOutside = outside > .zero }
        return outside > (position.accuracy ?? Position.usualError) || (outside > .zero && wasOutside)
    }

    /// The default of OwnTracks.
    package static let usualLead = Duration.seconds(30)
    private static let smallestRadius = Metres(50)
}

/// Decides when to fetch the nearest regions again: when the vehicle has left the area that they cover.
package struct GeofenceSync: Sendable, Hashable, Codable {
    /// Where the vehicle was when the regions were fetched.
    package let centre: Coordinate
    /// How far the fetched regions reach from there.
    package let radius: Metres

    /// Takes the distances to the borders of the fetched regions, nearest first.
    init(fetchedAt centre: Coordinate, clearances: [Metres]) {
        self.centre = centre
        radius = clearances.max().map { max($0, Self.smallest) } ?? Self.withoutRegions
    }

    /// Whether the vehicle at this place needs other regions.
    package func isOutgrown(at place: Coordinate) -> Bool { centre.distance(to: place) > radius }

    /// With many overlapping regions, every step would otherwise leave the area.
    private static let smallest = Metres(1000)
    /// Without any region, fetching once a minute on a motorway would be too often.
    private static let withoutRegions = Metres(10_000)
}
