import Quantities

/// A fix that showed the vehicle at rest where it is parked.
struct ParkedFix: Sendable {
    let time: Timestamp
    let moment: Instant
    let position: Position
}

/// The fixes of a parked vehicle, which show how much a new fix proves.
struct ParkedSightings: Sendable {
    /// The last fix that showed the vehicle at rest where it is parked; nil before that.
    private(set) var last: ParkedFix?
    /// How far the fixes have wandered at this place.
    private(set) var wander = Metres.zero
    /// How often the parked place has moved without a departure.
    private var corrections = 0

    /// A receiver with an open view of the sky states at most this error, and wanders less than `DisplacementRule` requires.
    private static let openSky = Metres(10)
    /// Reflections displace the fixes by at most this many times the stated error.
    private static let understated = 6.0

    /// Stores a fix that shows the vehicle at rest near `place`.
    ///
    /// Reflections displace fixes little by little. A vehicle moves farther than that between two position checks.
    mutating func add(_ fix: AcceptedFix, near place: Position?, at now: Instant) {
        last = ParkedFix(time: fix.time, moment: now, position: fix.position)
        guard let place, !place.isVague, fix.position.error > Self.openSky else { return }
        let distance = place.coordinate.distance(to: fix.coordinate)
        wander = max(wander, min(distance, fix.position.error * Self.understated))
    }

    /// Stores the distance from the parked place at which a fix showed the vehicle at rest.
    ///
    /// Somebody may move a vehicle once without a trip. If its place seems to move again, the receiver wanders.
    mutating func addCorrection(of distance: Metres) {
        corrections += 1
        if corrections > 1 { wander = max(wander, distance) }
    }
}
