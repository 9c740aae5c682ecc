import Quantities

/// Detects a slow vehicle, such as a tractor or a van in a yard, whose motion no single fix can prove: the distance
/// between its fixes matches their speeds for some seconds. Fixes of a drifting receiver are closer together.
struct PaceRule: Sendable, Hashable {
    /// A larger error means an obstructed sky, where the speed is no evidence.
    private static let largestError = Metres(20)
    /// The least time and distance from the first fix of a series to its last.
    private static let shortest = (time: Duration.seconds(5), distance: Metres(8))
    /// The straight distance must be at least this share of the distance by the speeds; a turning vehicle drives farther.
    static let share = 0.6
    private static let longestGap = Duration.seconds(3)

    private struct Series: Sendable, Hashable {
        let first: Coordinate
        let began: Instant
        var last: Instant
        var path = Metres.zero
    }

    /// The speed that each fix must exceed.
    private let slow: MetresPerSecond
    private var series: Series?

    init(beyond slow: MetresPerSecond = MetresPerSecond(1)) { self.slow = slow }

    mutating func isMoving(_ fix: AcceptedFix, at now: Instant) -> Bool {
        guard let speed = fix.position.speed, speed > slow, fix.position.error <= Self.largestError else {
            series = nil
            return false
        }
        guard var current = series, now - current.last <= Self.longestGap else {
            series = Series(first: fix.coordinate, began: now, last: now)
            return false
        }
        current.path = current.path + Metres(speed.value * (now - current.last).inSeconds)
        current.last = now
        series = current
        let distance = current.first.distance(to: fix.coordinate)
        return now - current.began >= Self.shortest.time && distance >= Self.shortest.distance
            && distance >= current.path * Self.share
    }
}
