import Quantities
import TrackingOptions

/// Collects what fixes have shown of the parked vehicle, and decides whether the next one shows a departure.
struct ParkedEvidence: Sendable {
    enum Finding: Sendable {
        case parked
        /// `isUnseenMove` is true if the vehicle was moved there without a trip.
        case parkedElsewhere(Position, isUnseenMove: Bool)
        case departed(Departure)
        case undecided
    }

    /// A smooth road shakes a slow vehicle only sometimes.
    private static let feltLasts = Duration.seconds(10)

    private var rule: DepartureRule
    private var sightings = ParkedSightings()
    private var watch: ParkedWatch
    /// When the accelerometer last showed motion for a second.
    private var felt: Instant?

    init(_ options: TrackingOptions, _ watch: ParkedWatch) { (rule, self.watch) = (DepartureRule(options), watch) }

    /// Forgets the fixes of earlier position checks, but not what they showed.
    mutating func restart(_ options: TrackingOptions) { rule = DepartureRule(options) }

    mutating func feel(at now: Instant) { felt = now }

    mutating func checkEnded(at now: Instant) { watch.look(isSeen: false, at: now) }

    func mayDrive(since motionBegan: Instant?, canFeel: Bool, at now: Instant) -> Instant {
        watch.mayDrive(since: motionBegan, canFeel: canFeel, at: now)
    }

    mutating func judge(
        _ fix: AcceptedFix, parkedAt parked: Position?, motionBegan: Instant?, mayDriveSince left: Instant,
        at now: Instant
    ) -> Finding {
        let place = parked.flatMap { $0.isVague ? nil : $0 }
        let unseen = UnseenMove.distance(to: fix, from: place, since: left, at: now)
        // A vehicle that the first check after a start finds standing elsewhere was moved before the start, however
        // little time has passed. If it is moving, it may have driven off just now, so that case below uses `unseen`.
        let wasMoved =
            unseen != nil || watch.isNew && UnseenMove.distance(to: fix, from: place, since: now, at: now) != nil
        let isFelt = felt.map { now - $0 <= Self.feltLasts } ?? false
        switch rule.judge(fix, parkedAt: parked, isFelt: isFelt, isUnseenMove: wasMoved, sightings: sightings, at: now)
        {
        case .parked: return .parked
        case .parkedElsewhere(let position): return .parkedElsewhere(position, isUnseenMove: wasMoved)
        case .undecided: return .undecided
        case .moving(let reason, let cause):
            guard let unseen else {
                var departure = Departure(
                    reason, shownBy: fix, from: parked, lastSeen: sightings.last, motionBegan: motionBegan)
                departure.cause = cause
                return .departed(departure)
            }
            let moved = "moved unseen: the vehicle is \(Int(unseen.value)) m from where it was parked"
            return .departed(Departure(reason: moved, cause: cause, fix: fix, began: motionBegan, isUnseen: true))
        }
    }

    mutating func confirm(_ fix: AcceptedFix, near place: Position?, at now: Instant) {
        watch.look(isSeen: true, at: now)
        if !fix.provesMovement { sightings.add(fix, near: place, at: now) }
    }

    mutating func placeMoved(by distance: Metres, isUnseenMove: Bool, _ options: TrackingOptions) {
        if isUnseenMove { sightings = ParkedSightings() } else { sightings.addCorrection(of: distance) }
        restart(options)
    }
}
