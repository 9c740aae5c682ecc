import Quantities

/// Where and since when the vehicle is parked, or was last parked.
struct ParkedPlace: Sendable {
    /// Nil if the place is unknown.
    private(set) var position: Position?
    /// When the vehicle came to rest; nil before it was first parked.
    private(set) var since: Timestamp?
    /// Whether this run of the program took `since` from an untrusted clock.
    private(set) var isEstimated = false

    init(_ position: Position?, since: Timestamp?) { (self.position, self.since) = (position, since) }

    /// When the vehicle came to rest; nil if that is unknown, or if only an untrusted clock dates it.
    var arrival: Timestamp? { isEstimated ? nil : since }

    /// Whether the place is at least as accurate as the default `accuracyLimit` requires.
    var isKnown: Bool { position.map { !$0.isVague } ?? false }

    /// Stores another place, at which the vehicle is at rest.
    mutating func move(to position: Position?, since time: UTCTime) {
        self.position = position
        self.position?.speed = nil
        self.position?.course = nil
        since = time.time
        isEstimated = !time.isTrusted
    }

    /// Moves the arrival to a later time, because the time before it is private.
    mutating func arrive(notBefore time: Timestamp) { since = max(since ?? time, time) }

    /// Corrects a time from an untrusted clock.
    mutating func correct(by span: Duration) {
        if isEstimated { since = since.map { $0 + span } }
        isEstimated = false
    }
}

/// The last fix of the vehicle, and the last point of its recorded track.
struct TrackEnd: Sendable {
    private(set) var lastFix: AcceptedFix?
    /// Whether `lastFix` arrived after the departure; meaningless while the vehicle is parked.
    private(set) var isLastFixOfTrip = false
    /// The last point of the track; nil if the next fix begins a new track.
    private(set) var lastRecorded: TrackPoint?
    private var newPoint: Position?

    init(_ lastFix: AcceptedFix?, isOfTrip: Bool, recorded: TrackPoint?) {
        (self.lastFix, isLastFixOfTrip, lastRecorded) = (lastFix, isOfTrip, recorded)
    }

    /// Stores an accepted fix.
    mutating func add(_ fix: AcceptedFix, isMoving: Bool) {
        lastFix = fix
        if isMoving { isLastFixOfTrip = true }
    }

    /// Begins a trip; `hasFix` is true if the last fix showed the departure, and is therefore the first fix of the trip.
    mutating func beginTrip(hasFix: Bool) { isLastFixOfTrip = hasFix }

    /// Stores a recorded fix as the end of the track, and as the newest point.
    mutating func record(_ fix: AcceptedFix) {
        lastRecorded = TrackPoint(fix)
        newPoint = fix.position
    }

    /// Ends the track at another point.
    mutating func end(at point: TrackPoint) { lastRecorded = point }

    /// Lets the next fix begin a new track.
    mutating func breakOff() { lastRecorded = nil }

    /// Returns the position of the newest point, for circles that move with the vehicle; nil if there is none, or if an earlier
    /// call has returned it.
    mutating func takeNewPoint() -> Position? {
        guard let point = newPoint else { return nil }
        newPoint = nil
        return point
    }
}
