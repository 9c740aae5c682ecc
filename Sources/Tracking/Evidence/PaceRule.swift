import Quantities

/// Detects that a slow vehicle moves, because the distance between its fixes matches their speeds for some seconds.
///
/// A tractor, or a van in a yard, is so slow that a single fix cannot prove its motion. A receiver that drifts reports such
/// speeds too, but the distance between its fixes is shorter.
struct PaceRule: Sendable, Hashable {
    /// The measured speed of a standing vehicle is below this value.
    private static let slow = MetresPerSecond(1)
    /// A larger error shows that the receiver's view of the sky is obstructed, so the speed of the fix is no evidence.
    private static let largestError = Metres(20)
    /// The minimum duration of a series, and the minimum distance from its first fix to its last.
    private static let shortest = (time: Duration.seconds(5), distance: Metres(8))
    /// The minimum ratio of the straight distance to the path length that follows from the speeds.
    ///
    /// A vehicle that turns drives farther than the straight distance.
    private static let share = 0.6
    /// After a gap longer than this, a new series of fixes begins.
    private static let longestGap = Duration.seconds(3)

    private struct Series: Sendable, Hashable {
        let first: Coordinate
        let began: Instant
        var last: Instant
        var path = Metres.zero
    }

    private var series: Series?

    /// Adds a fix; returns whether the vehicle moves.
    mutating func isMoving(_ fix: AcceptedFix, at now: Instant) -> Bool {
        guard let speed = fix.position.speed, speed > Self.slow, fix.position.error <= Self.largestError else {
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
