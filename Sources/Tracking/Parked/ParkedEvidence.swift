import Quantities
import TrackingOptions

/// What the fixes of a parked vehicle have shown so far, and whether the next one shows a departure.
struct ParkedEvidence: Sendable {
    enum Finding: Sendable {
        /// The vehicle is where it was parked.
        case parked
        /// The vehicle stands at this position; `isUnseenMove` is true if it was moved there without a trip.
        case parkedElsewhere(Position, isUnseenMove: Bool)
        case departed(Departure)
        case undecided
    }

    private var rule: DepartureRule
    private var sightings = ParkedSightings()
    private var watch: ParkedWatch

    init(_ options: TrackingOptions, _ watch: ParkedWatch) { (rule, self.watch) = (DepartureRule(options), watch) }

    /// Discards the fixes of earlier position checks, but not what they showed.
    mutating func restart(_ options: TrackingOptions) { rule = DepartureRule(options) }

    /// Notes that a position check has ended; `isSeen` is true if a fix has shown the vehicle parked.
    mutating func checkEnded(isSeen: Bool, at now: Instant) { watch.look(isSeen: isSeen, at: now) }

    /// Returns since when the vehicle may have been driven; `motionBegan` is nil if an accelerometer feels no motion.
    func mayDrive(since motionBegan: Instant?, canFeel: Bool, at now: Instant) -> Instant {
        watch.mayDrive(since: motionBegan, canFeel: canFeel, at: now)
    }

    /// Judges a fix of a vehicle that was parked at `parked`; the caller has determined `left` with `mayDrive`.
    mutating func judge(
        _ fix: AcceptedFix, parkedAt parked: Position?, motionBegan: Instant?, mayDriveSince left: Instant,
        at now: Instant
    ) -> Finding {
        let place = parked.flatMap { $0.isVague ? nil : $0 }
        let unseen = UnseenMove.distance(to: fix, from: place, since: left, at: now)
        // Where it stands at the start of the program, it was moved before; only a moving vehicle may have left just now.
        let wasMoved =
            unseen != nil || watch.isNew && UnseenMove.distance(to: fix, from: place, since: now, at: now) != nil
        switch rule.judge(fix, parkedAt: parked, isUnseenMove: wasMoved, sightings: sightings, at: now) {
        case .parked: return .parked
        case .parkedElsewhere(let position): return .parkedElsewhere(position, isUnseenMove: wasMoved)
        case .undecided: return .undecided
        case .moving(let reason):
            guard let unseen else {
                return .departed(
                    Departure(reason, shownBy: fix, from: parked, lastSeen: sightings.last, motionBegan: motionBegan))
            }
            let moved = "moved unseen: the vehicle is \(Int(unseen.value)) m from where it was parked"
            return .departed(Departure(reason: moved, fix: fix, began: motionBegan, isUnseen: true))
        }
    }

    /// Stores a fix that shows the vehicle parked at `place`.
    mutating func confirm(_ fix: AcceptedFix, near place: Position?, at now: Instant) {
        watch.look(isSeen: true, at: now)
        if !fix.provesMovement { sightings.add(fix, near: place, at: now) }
    }

    /// Notes that the parked place was moved by `distance`.
    mutating func placeMoved(by distance: Metres, isUnseenMove: Bool, _ options: TrackingOptions) {
        if isUnseenMove { sightings = ParkedSightings() } else { sightings.addCorrection(of: distance) }
        restart(options)
    }
}

/// A fix that showed the vehicle at rest at its parked place.
struct ParkedFix: Sendable {
    let time: Timestamp
    let moment: Instant
    let position: Position
}

/// The fixes of a parked vehicle; they show how far a new fix must be from the parked place to prove a departure.
struct ParkedSightings: Sendable {
    /// The last fix that showed the vehicle at rest at its parked place; nil before the first such fix.
    private(set) var last: ParkedFix?
    /// The largest distance to which fixes have wandered from the parked place.
    private(set) var wander = Metres.zero
    /// The number of times that the parked place was moved without a departure.
    private var corrections = 0

    /// A receiver with an open view of the sky states at most this error, and its fixes wander less than
    /// `DisplacementRule.distance`.
    private static let openSky = Metres(10)
    /// Reflected signals displace the fixes by at most this multiple of the stated error.
    private static let understated = 6.0

    /// Stores a fix that shows the vehicle at rest near `place`.
    ///
    /// Reflected signals displace fixes little by little. Between two position checks, a driving vehicle moves farther than
    /// such a displacement.
    mutating func add(_ fix: AcceptedFix, near place: Position?, at now: Instant) {
        last = ParkedFix(time: fix.time, moment: now, position: fix.position)
        guard let place, !place.isVague, fix.position.error > Self.openSky else { return }
        let distance = place.coordinate.distance(to: fix.coordinate)
        wander = max(wander, min(distance, fix.position.error * Self.understated))
    }

    /// Stores the distance by which the parked place was moved, because fixes showed the vehicle at rest elsewhere.
    ///
    /// Somebody may move a vehicle once without a trip. If the parked place moves a second time, the vehicle has not moved; the
    /// receiver's fixes wander.
    mutating func addCorrection(of distance: Metres) {
        corrections += 1
        if corrections > 1 { wander = max(wander, distance) }
    }
}
