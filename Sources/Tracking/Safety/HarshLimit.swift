import Motion
import Quantities

/// One row of the table of limits for harsh driving.
///
/// The limits are the defaults of Teltonika's green driving function for receivers that report once a second.
struct HarshLimit: Sendable {
    let kind: DrivingEvent.Kind
    private let limit: Acceleration
    /// Whether the speed is high enough.
    ///
    /// At lower speeds, parking manoeuvres would cause events.
    private let isFastEnough: @Sendable (SpeedChange) -> Bool
    private let seen: @Sendable (SpeedChange) -> Acceleration?
    private let felt: @Sendable (MountingEstimate.Push) -> Acceleration

    static let all = [
        HarshLimit(
            kind: .braking, limit: Acceleration(2.7),
            isFastEnough: { $0.topSpeed >= slowest && $0.lowSpeed > standstill },
            seen: { .zero - $0.ahead }, felt: { .zero - $0.ahead }),
        HarshLimit(
            kind: .acceleration, limit: Acceleration(2.5),
            isFastEnough: { $0.topSpeed >= slowest && $0.lowSpeed > standstill },
            seen: { $0.ahead }, felt: { $0.ahead }),
        HarshLimit(
            kind: .cornering, limit: Acceleration(3.4), isFastEnough: { $0.lowSpeed >= slowestInCorner },
            seen: { $0.aside }, felt: { $0.aside.magnitude }),
    ]

    private static let slowest = MetresPerSecond(10 / 3.6)
    /// Receivers with a static hold report 0 at first, and then jump to the true speed.
    private static let standstill = MetresPerSecond(0.5)
    private static let slowestInCorner = MetresPerSecond(30 / 3.6)
    /// The share of the limit that the fixes must show if the accelerometer measures a harsh acceleration.
    ///
    /// Fixes smooth a short peak. On a slope the accelerometer measures an acceleration, but the fixes show none.
    private static let corroboration = 0.75

    /// Returns the strength of a harsh change; nil if the change is not harsh.
    ///
    /// `pushes` are the measurements of the accelerometer during the change. The list is empty if the mounting is
    /// unknown, or if the accelerometer measured nothing during the change. Then only the fixes decide.
    func strength(_ change: SpeedChange, _ pushes: [MountingEstimate.Push]) -> Acceleration? {
        guard isFastEnough(change), let seen = seen(change) else { return nil }
        guard let felt = pushes.map(felt).max() else { return seen >= limit ? seen : nil }
        return felt >= limit && seen >= limit * Self.corroboration ? felt : nil
    }
}

/// A period of harsh driving without a break; the rule reports the event when the period ends.
struct HarshSpell: Sendable, Hashable {
    /// When the period began.
    private(set) var began: Instant
    /// The last moment of the period so far.
    private(set) var ended: Instant
    /// The strongest acceleration during the period.
    private(set) var peak: Acceleration

    init(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        (began, ended) = (span.lowerBound, span.upperBound)
        peak = strength
    }

    mutating func extend(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        ended = span.upperBound
        peak = max(peak, strength)
    }
}
