package import Quantities

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
