import Quantities

/// The borders that limit how long the receiver may be off.
struct WatchedBorders: Sendable {
    /// 180 km/h; the speed of the last fix counts if it is higher.
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
