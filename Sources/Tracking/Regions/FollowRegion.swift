package import Quantities

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

/// Knows when the nearest regions are to be fetched anew: when the vehicle has moved out of the area that they cover.
package struct GeofenceSync: Sendable, Hashable, Codable {
    /// Where the vehicle was when they were fetched.
    package let centre: Coordinate
    /// How far they reach from there.
    package let radius: Metres

    /// Takes the distances to the borders of the regions that were kept, nearest first.
    init(fetchedAt centre: Coordinate, clearances: [Metres]) {
        self.centre = centre
        radius = clearances.max().map { max($0, Self.smallest) } ?? Self.withoutRegions
    }

    /// Whether the vehicle, being there, needs others.
    package func isOutgrown(at place: Coordinate) -> Bool { centre.distance(to: place) > radius }

    /// Among many regions that overlap, each step would lead out of the area.
    private static let smallest = Metres(1000)
    /// Where there is none, to ask each minute on a motorway would be too often.
    private static let withoutRegions = Metres(10_000)
}
