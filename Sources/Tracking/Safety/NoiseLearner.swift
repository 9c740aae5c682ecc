import Motion
import Quantities

/// Learns the vibration of the vehicle while it stands: parked, or with a last fix below 0.5 m/s. After a false start,
/// it also learns how strongly wind or an engine shakes the vehicle at that place.
struct NoiseLearner: Sendable {
    private static let freshness = Duration.seconds(3)
    private static let standing = MetresPerSecond(0.5)
    /// A multiple of the place's noise level: 10 % of the windows exceed the level itself, but hardly any exceed this multiple.
    private static let margin = 1.25
    /// A second of vibration this many times the parked level may be a start at walking pace.
    private static let shock = 2.5
    private static let leastShock = Acceleration(0.08)
    /// Three of the last four windows must be strong, as motion in `MotionDetector` begins with three active ones of four.
    private static let (compared, enough) = (4, 3)

    private(set) var noise: NoiseFloor
    /// The noise of the active windows since the departure, in case the start proves to be false.
    private var sinceDeparture = NoiseFloor.Level()
    private var strong: [Bool] = []

    init(restoring noise: NoiseFloor) { self.noise = noise }

    /// True if an earlier start here was false.
    var isPlaceShaken: Bool { noise.place != nil }

    /// True if the vibration is stronger than usual here; true also at a place without false starts, and before the
    /// first window.
    var isStrong: Bool { !isPlaceShaken || strong.isEmpty || strong.count { $0 } >= Self.enough }

    mutating func depart() { sinceDeparture = NoiseFloor.Level() }

    /// A false start shows the noise level at this place; after a real trip, that of the new place is unknown.
    mutating func arrive(isFalseStart: Bool, in turn: inout Turn) {
        noise.place = isFalseStart ? noise.place ?? sinceDeparture : nil
        updateFacts(of: &turn)
    }

    func updateFacts(of turn: inout Turn) {
        (turn.isPlaceShaken, turn.isMotionStrong) = (isPlaceShaken, isStrong)
        turn.shockLevel = noise.parked.level.map { max(Self.leastShock, $0 * Self.shock) }
    }

    mutating func learn(_ verdict: MotionVerdict, lastFix: AcceptedFix?, in turn: inout Turn) {
        guard !turn.isSuspended, let deviation = verdict.deviation else { return }
        defer { updateFacts(of: &turn) }
        compare(deviation, isActive: verdict.isActive)
        if verdict.isActive {
            if turn.isMoving { sinceDeparture.learn(deviation) } else { noise.place?.learn(deviation) }
        }
        if !turn.isMoving {
            // Active windows, such as the one that caused the wake-up, are skipped.
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
