import Quantities

/// Records when the course has changed.
struct TurnRule: Sendable, Hashable {
    /// Slower than this a course is noise.
    private static let slowest = MetresPerSecond(2)
    /// Less than this beside the line on which the last record was made, a turn has led nowhere: courses of slow fixes are noisy.
    private static let aside = Metres(10)

    private let angle: Degrees

    /// Wants a record after a turn of `angle`; never when that is zero.
    init(angle: Degrees) { self.angle = angle }

    /// Whether the course has changed enough since the last record.
    func wants(_ fix: AcceptedFix, after last: EngineState.Recorded) -> Bool {
        guard angle > .zero, let speed = fix.position.speed, speed > Self.slowest, let course = fix.position.course,
            let earlier = last.course
        else { return false }
        guard course.turn(from: earlier) >= angle else { return false }
        // Who turns back on his own way is beside no line: the bound on chords keeps that point.
        let offset = last.coordinate.offset(to: fix.coordinate)
        let ahead = earlier.direction
        let aside = Metres(offset.east.value * ahead.north - offset.north.value * ahead.east).magnitude
        return aside >= Self.aside
    }
}
