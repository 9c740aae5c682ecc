import Quantities

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
