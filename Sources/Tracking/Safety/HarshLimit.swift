import Motion
import Quantities

/// What counts as harsh: a row of the table of limits.
///
/// The limits are the defaults of Teltonika's green driving, for receivers that report once a second.
struct HarshLimit: Sendable {
    /// What it is called.
    let kind: DrivingEvent.Kind
    /// From which acceleration on.
    private let limit: Acceleration
    /// From which speed on: below it a parking manoeuvre looks like a race.
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
    /// Receivers with a static hold report 0 until they leap to what the vehicle has reached.
    private static let standstill = MetresPerSecond(0.5)
    private static let slowestInCorner = MetresPerSecond(30 / 3.6)
    /// What the accelerometer feels must show in the fixes to this share at least: they smooth a short peak, but a slope, which
    /// the accelerometer takes for acceleration, does not show at all.
    private static let corroboration = 0.75

    /// How harsh a change was; nothing when it was not.
    ///
    /// `pushes` is what the accelerometer felt meanwhile; with none, as long as its mounting is not known, the fixes decide alone.
    func strength(_ change: SpeedChange, _ pushes: [MountingEstimate.Push]) -> Acceleration? {
        guard isFastEnough(change), let seen = seen(change) else { return nil }
        guard let felt = pushes.map(felt).max() else { return seen >= limit ? seen : nil }
        return felt >= limit && seen >= limit * Self.corroboration ? felt : nil
    }
}

/// The time for which something is harsh without a break: known in full when it is over.
struct HarshSpell: Sendable, Hashable {
    /// When it began.
    private(set) var began: Instant
    /// Until when it has lasted.
    private(set) var ended: Instant
    /// The strongest acceleration of it.
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
