import Quantities

/// The borders of all watched areas; these borders limit how long the receiver may be off.
struct WatchedBorders: Sendable {
    /// The assumed highest speed of a vehicle (180 km/h); if the last fix shows a higher speed, that speed applies.
    private static let fastest = MetresPerSecond(50)

    private let regions: RegionIndex
    private let circles: [FollowRegion]
    private let area: RegionSync.Area?

    /// Watches the borders of regions, of circles that move with the vehicle, and of the area of the watched regions of servers.
    init(regions: RegionIndex = RegionIndex(), circles: [FollowRegion] = [], area: RegionSync.Area? = nil) {
        self.regions = regions
        self.circles = circles
        self.area = area
    }

    /// Returns the shortest time in which the vehicle can reach a border after this fix; nil if the vehicle can reach no border
    /// within `span`.
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
