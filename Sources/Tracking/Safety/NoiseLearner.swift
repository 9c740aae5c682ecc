import Motion
import Quantities

/// Learns the vibration while the vehicle stands: when it is parked, or when the last fix of a trip reports a speed below 0.5
/// m/s.
///
/// After a false start it also learns how strongly wind or a running engine shakes the vehicle at that place.
struct NoiseLearner: Sendable {
    /// A fix older than this does not show whether the vehicle stands now.
    private static let freshness = Duration.seconds(3)
    /// Below this measured speed, the vehicle stands.
    private static let standing = MetresPerSecond(0.5)
    /// Motion above this multiple of the place's noise level is stronger than usual.
    ///
    /// 10 % of the windows exceed the level itself, and hardly any window exceeds this multiple of the level.
    private static let margin = 1.25
    /// The number of windows compared, and the number of these that must be strong, as in `MotionDetector`.
    private static let (compared, enough) = (4, 3)

    /// The learnt noise; survives a restart.
    private(set) var noise: NoiseFloor
    /// The active windows since the departure, in case the start proves to be false.
    private var sinceDeparture = NoiseFloor.Level()
    private var strong: [Bool] = []

    /// Continues from the noise that an earlier run has learnt.
    init(restoring noise: NoiseFloor) { self.noise = noise }

    /// Whether an earlier start at the present place was a false start.
    var isPlaceShaken: Bool { noise.place != nil }

    /// Whether the present motion is stronger than the usual vibration at this place; true at a place without false
    /// starts, and before the first window.
    var isStrong: Bool { !isPlaceShaken || strong.isEmpty || strong.count { $0 } >= Self.enough }

    /// Begins to collect the windows of a trip.
    mutating func depart() { sinceDeparture = NoiseFloor.Level() }

    /// Ends a trip.
    ///
    /// The motion of a false start shows the noise level at this place; after a real trip, the level at the new place is unknown.
    mutating func arrive(isFalseStart: Bool) { noise.place = isFalseStart ? noise.place ?? sinceDeparture : nil }

    /// Learns from one window.
    mutating func learn(_ verdict: MotionVerdict, _ turn: Turn, lastFix: AcceptedFix?) {
        guard let deviation = verdict.deviation else { return }
        compare(deviation, isActive: verdict.isActive)
        if verdict.isActive {
            if turn.isMoving { sinceDeparture.learn(deviation) } else { noise.place?.learn(deviation) }
        }
        if !turn.isMoving {
            // Skip the window that caused the wake-up.
            if !verdict.isMoving, !verdict.isActive { noise.parked.learn(deviation) }
        } else if let fix = lastFix, let speed = fix.position.speed, speed < Self.standing,
            turn.utc.time - fix.time <= Self.freshness
        {
            noise.idling.learn(deviation)
        }
    }

    private mutating func compare(_ deviation: Acceleration, isActive: Bool) {
        let usual = noise.place?.roughLevel.map { $0 * Self.margin } ?? .zero
        strong = strong.suffix(Self.compared - 1) + [isActive && deviation >= usual]
    }
}
