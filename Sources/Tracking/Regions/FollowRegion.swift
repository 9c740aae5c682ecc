import Quantities

/// A circle that moves with the vehicle: each track point becomes its centre, and the next point is due when the vehicle
/// leaves the circle. Its transitions are not recorded; the track point has OwnTracks' trigger `C`.
package struct FollowRegion: Sendable, Hashable, Codable {
    package let name: RegionName
    /// The radius is the distance that the vehicle covers in this time, but at least 50 m.
    package let lead: Duration
    private var centre: Coordinate?
    private var radius = Self.smallestRadius
    private var wasOutside = false

    /// There is no centre until the first track point.
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

    /// True if the fix is outside by more than its error, or if two fixes in a row are outside.
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

/// The borders that limit how long the receiver may be off.
struct WatchedBorders: Sendable {
    /// The assumed speed is 180 km/h, or that of the last fix if it is higher.
    private static let fastest = MetresPerSecond(50)

    private let regions: RegionIndex
    private let circles: [FollowRegion]
    private let area: RegionSync.Area?

    init(regions: RegionIndex = RegionIndex(), circles: [FollowRegion] = [], area: RegionSync.Area? = nil) {
        self.regions = regions
        self.circles = circles
        self.area = area
    }

    /// Nil if no border can be reached within `span`.
    func timeToReach(after fix: AcceptedFix, within span: Duration) -> Duration? {
        let speed = max(Self.fastest, fix.position.speed ?? .zero)
        let error = fix.position.accuracy ?? .zero
        let farthest = Metres(speed.value * span.inSeconds) + error
        let distances =
            [regions.borderDistance(from: fix.coordinate, within: farthest)].compactMap { $0 }
            + circles.compactMap { $0.clearance(from: fix.coordinate).map { Metres($0.value.magnitude) } }
            + [area.flatMap { $0.distanceToBorder(from: fix.coordinate) }].compactMap { $0 }
        guard let nearest = distances.min(), nearest <= farthest else { return nil }
        return Duration(inSeconds: max(0, (nearest - error).value) / speed.value)
    }
}
