import Quantities

struct ParkedPlace: Sendable {
    /// Nil if the place is unknown.
    private(set) var position: Position?
    /// Nil before it was first parked.
    private(set) var since: Timestamp?
    /// Taken from an untrusted clock in this run.
    private(set) var isEstimated = false

    init(_ position: Position?, since: Timestamp?) { (self.position, self.since) = (position, since) }

    /// Nil if unknown, or if only an untrusted clock dates it.
    var arrival: Timestamp? { isEstimated ? nil : since }

    /// By the default `accuracyLimit`.
    var isKnown: Bool { position.map { !$0.isVague } ?? false }

    mutating func move(to position: Position?, since time: UTCTime) {
        self.position = position
        self.position?.speed = nil
        self.position?.course = nil
        since = time.time
        isEstimated = !time.isTrusted
    }

    /// The time before is private.
    mutating func arrive(notBefore time: Timestamp) { since = max(since ?? time, time) }

    mutating func correct(by span: Duration) {
        if isEstimated { since = since.map { $0 + span } }
        isEstimated = false
    }
}

/// The last fix, and the last point of the recorded track.
struct TrackEnd: Sendable {
    private(set) var lastFix: AcceptedFix?
    /// Of `lastFix`; stored because each event needs it, and a question to the fix copies the fix.
    private(set) var lastPlace: Coordinate?
    /// After the departure; meaningless while parked.
    private(set) var isLastFixOfTrip = false
    /// Nil if the next fix begins a new track.
    private(set) var lastRecorded: TrackPoint?
    private var newPoint: Position?

    init(_ lastFix: AcceptedFix?, isOfTrip: Bool, recorded: TrackPoint?) {
        (self.lastFix, isLastFixOfTrip, lastRecorded) = (lastFix, isOfTrip, recorded)
        lastPlace = lastFix?.coordinate
    }

    mutating func add(_ fix: AcceptedFix, isMoving: Bool) {
        lastFix = fix
        lastPlace = fix.coordinate
        if isMoving { isLastFixOfTrip = true }
    }

    /// `hasFix` if the last fix showed the departure, and so is the first of the trip.
    mutating func beginTrip(hasFix: Bool) { isLastFixOfTrip = hasFix }

    mutating func record(_ fix: AcceptedFix) {
        lastRecorded = TrackPoint(fix)
        newPoint = fix.position
    }

    mutating func end(at point: TrackPoint) { lastRecorded = point }

    mutating func breakOff() { lastRecorded = nil }

    /// For circles that move with the vehicle; each point once.
    mutating func takeNewPoint() -> Position? {
        guard let point = newPoint else { return nil }
        newPoint = nil
        return point
    }
}
