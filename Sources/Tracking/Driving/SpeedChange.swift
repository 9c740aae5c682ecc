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
