import Quantities

/// The change of speed and course between two readings.
struct SpeedChange: Sendable, Hashable {
    /// The times of the two readings.
    let span: ClosedRange<Instant>
    /// The higher of the two speeds.
    let topSpeed: MetresPerSecond
    /// The lower of the two speeds.
    let lowSpeed: MetresPerSecond
    /// Rate at which the speed rose; negative if it fell.
    let ahead: Acceleration
    /// Speed times yaw rate, without sign; nil if a course is unknown.
    let aside: Acceleration?

    /// A value outside this range is a receiver error.
    ///
    /// Tyres on a dry road can transfer about 1 g, and few engines reach half of that.
    private static let plausible = Acceleration(-12)...Acceleration(6)
    private static let mostPlausibleAside = Acceleration(12)

    /// Compares two readings; nil if the change is physically impossible, or if the readings are not in order of time.
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

/// Smoothed speed and course at a fix: the medians over the fix and its two neighbours.
///
/// Between tall buildings, the speed of a single fix is often wrong by several metres per second. Without the medians,
/// the rule would report this error as an event.
struct SpeedReading: Sendable, Hashable {
    /// UTC of the middle fix.
    let time: Timestamp
    /// When the middle fix arrived.
    let at: Instant
    /// The median of the speeds.
    let speed: MetresPerSecond
    /// The median of the courses; nil if one is unknown.
    let course: Degrees?

    /// The largest position error at which the speed is reliable.
    ///
    /// A larger error shows that the receiver's view of the sky is obstructed.
    ///
    /// Phones and cheap receivers report errors of 2 to 10 m in the open.
    private static let worstAccuracy = Metres(15)
    /// Fixes that are farther apart in time are not neighbours.
    private static let widestGap = Duration.seconds(3)

    /// Computes the medians of three consecutive fixes; nil if the fixes are too inaccurate, too far apart, or lack a speed.
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

    /// Returns the turn from this course to the course of `other`, positive to the right; nil if a course is unknown.
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
