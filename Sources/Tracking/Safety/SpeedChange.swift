import Quantities

/// How speed and course changed from one reading to another.
struct SpeedChange: Sendable, Hashable {
    /// When the two came.
    let span: ClosedRange<Instant>
    /// The higher one of the two speeds.
    let topSpeed: MetresPerSecond
    /// The lower one.
    let lowSpeed: MetresPerSecond
    /// How fast the speed rose; negative when it fell.
    let ahead: Acceleration
    /// Speed times yaw rate, without its sign; nothing when a course is not known.
    let aside: Acceleration?

    /// Tyres on a dry road hold about 1 g, and few engines make more than half of it: what is more is a fault of the receiver.
    private static let plausible = Acceleration(-12)...Acceleration(6)
    private static let mostPlausibleAside = Acceleration(12)

    /// Compares two readings; nothing when they tell what no vehicle does.
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

/// Speed and course at a fix, without what only that fix says: the medians of it and of its two neighbours.
///
/// In a street with high houses one fix among good ones is often wrong by metres a second, and looks like a race.
struct SpeedReading: Sendable, Hashable {
    /// UTC of the fix in the middle.
    let time: Timestamp
    /// When it came.
    let at: Instant
    /// The median of the speeds.
    let speed: MetresPerSecond
    /// The median of the courses; nothing when one is not known.
    let course: Degrees?

    /// With a larger error the sky is obstructed, and the speed is not to be trusted either; in the open phones and cheap
    /// receivers state 2 to 10 m.
    private static let worstAccuracy = Metres(15)
    /// Fixes that lie farther apart are no neighbours.
    private static let widestGap = Duration.seconds(3)

    /// Takes the medians of three fixes in a row; nothing when they are too bad, too far apart, or do not tell speeds.
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

    /// How far `other` lies from this course, in degrees, to the right when positive; nothing when one is not known.
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
