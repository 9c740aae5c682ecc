import Motion
import Quantities

/// The limits are the defaults of Teltonika's green driving for receivers at 1 Hz.
struct HarshLimit: Sendable {
    let kind: DrivingEvent.Kind
    private let limit: Acceleration
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
    /// The fixes must show at least this share of the limit: not all of it, because they smooth a short peak, but some,
    /// because the accelerometer also measures the slope of the road.
    private static let corroboration = 0.75

    /// Nil if the change is not harsh. `pushes` come from the accelerometer; without any, only the fixes decide.
    func strength(_ change: SpeedChange, _ pushes: [MountingEstimate.Push]) -> Acceleration? {
        guard isFastEnough(change), let seen = seen(change) else { return nil }
        guard let felt = pushes.map(felt).max() else { return seen >= limit ? seen : nil }
        return felt >= limit && seen >= limit * Self.corroboration ? felt : nil
    }
}

/// A period of harsh driving, reported when it ends.
struct HarshSpell: Sendable, Hashable {
    private var began: Instant
    /// The end of the period so far.
    private var ended: Instant
    private var peak: Acceleration

    init(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        (began, ended) = (span.lowerBound, span.upperBound)
        peak = strength
    }

    mutating func extend(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        ended = span.upperBound
        peak = max(peak, strength)
    }

    func event(_ kind: DrivingEvent.Kind) -> DrivingEvent { DrivingEvent(kind, peak: peak, lasted: ended - began) }
}
