import Quantities

/// Records when the course has changed.
struct TurnRule: Sendable, Hashable {
    /// Slower than this a course is noise.
    private static let slowest = MetresPerSecond(2)
    /// Closer to the last record than this a turn cannot lead astray, and a course at walking pace is still noisy.
    private static let nearest = Metres(30)

    private let angle: Degrees

    /// Wants a record after a turn of `angle`; never when that is zero.
    init(angle: Degrees) { self.angle = angle }

    /// Whether the course has changed enough since the last record.
    func wants(_ fix: AcceptedFix, after last: EngineState.Recorded) -> Bool {
        guard angle > .zero, let speed = fix.position.speed, speed > Self.slowest, let course = fix.position.course,
            let earlier = last.course
        else { return false }
        return course.turn(from: earlier) >= angle && last.coordinate.distance(to: fix.coordinate) >= Self.nearest
    }
}
