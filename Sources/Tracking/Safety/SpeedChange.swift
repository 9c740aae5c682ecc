import Quantities

struct SpeedChange: Sendable, Hashable {
    let span: ClosedRange<Instant>
    let topSpeed: MetresPerSecond
    let lowSpeed: MetresPerSecond
    /// Negative if the speed fell.
    let ahead: Acceleration
    /// Speed times yaw rate, never negative; nil if a course is unknown.
    let aside: Acceleration?

    /// Tyres on a dry road can transfer about 1 g, and few engines reach half of that, so more is a receiver error.
    private static let plausible = Acceleration(-12)...Acceleration(6)
    private static let mostPlausibleAside = Acceleration(12)

    /// Nil if the change is physically impossible, or if the readings are not in order of time.
    init?(from first: SpeedReading, to second: SpeedReading) {
        let seconds = (second.time - first.time).inSeconds
        guard seconds > 0, first.at <= second.at else { return nil }
        span = first.at...second.at
        (topSpeed, lowSpeed) = (max(first.speed, second.speed), min(first.speed, second.speed))
        ahead = Acceleration((second.speed - first.speed).value / seconds)
        let mean = (first.speed + second.speed).value / 2
        aside = first.turn(to: second).map { Acceleration(mean * $0.magnitude.value * .pi / 180 / seconds) }
        guard Self.plausible.contains(ahead), (aside ?? .zero) <= Self.mostPlausibleAside else { return nil }
    }
}

/// Medians over a fix and its two neighbours: between tall buildings, single speeds are often wrong by several metres per
/// second.
struct SpeedReading: Sendable, Hashable {
    let time: Timestamp
    let at: Instant
    let speed: MetresPerSecond
    /// Nil if one of the three courses is unknown.
    let course: Degrees?

    /// A larger error means an obstructed sky; phones and cheap receivers report 2 to 10 m in the open.
    private static let worstAccuracy = Metres(15)
    /// Fixes farther apart are no neighbours.
    private static let widestGap = Duration.seconds(3)

    /// Nil if the fixes are too inaccurate, too far apart, or lack a speed.
    init?(_ fixes: (AcceptedFix, AcceptedFix, AcceptedFix), at: Instant) {
        let positions = [fixes.0.position, fixes.1.position, fixes.2.position]
        let speeds = positions.compactMap(\.speed).sorted()
        guard speeds.count == 3, positions.allSatisfy({ ($0.accuracy ?? .zero) <= Self.worstAccuracy }),
            fixes.1.time - fixes.0.time <= Self.widestGap, fixes.2.time - fixes.1.time <= Self.widestGap
        else { return nil }
        (time, speed) = (fixes.1.time, speeds[1])
        self.at = at
        let courses = positions.compactMap(\.course)
        course = courses.count == 3 ? Self.median(courses) : nil
    }

    /// Positive to the right; nil if a course is unknown.
    func turn(to other: SpeedReading) -> Degrees? {
        guard let course, let next = other.course else { return nil }
        return Self.turn(from: course, to: next)
    }

    private static func median(_ courses: [Degrees]) -> Degrees {
        let turns = courses.map { turn(from: courses[1], to: $0) }.sorted()
        return courses[1] + turns[1]
    }

    private static func turn(from first: Degrees, to second: Degrees) -> Degrees {
        Degrees((second - first).value.remainder(dividingBy: 360))
    }
}
