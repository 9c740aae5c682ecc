import Quantities

struct ParkedPlace: Sendable {
    private(set) var position: Position?
    /// Nil until the vehicle has been parked once.
    private(set) var since: Timestamp?
    /// True if an untrusted clock of this run dated `since`.
    private(set) var isEstimated = false

    init(_ position: Position?, since: Timestamp?) { (self.position, self.since) = (position, since) }

    /// Nil if unknown, or if only an untrusted clock dates it.
    var arrival: Timestamp? { isEstimated ? nil : since }

    var isKnown: Bool { position.map { !$0.isVague } ?? false }

    mutating func move(to position: Position?, since time: UTCTime) {
        self.position = position
        self.position?.speed = nil
        self.position?.course = nil
        since = time.time
        isEstimated = !time.isTrusted
    }

    /// Moves an earlier arrival to `time`, because the time before is private.
    mutating func arrive(notBefore time: Timestamp) { since = max(since ?? time, time) }

    mutating func correct(by span: Duration) {
        if isEstimated { since = since.map { $0 + span } }
        isEstimated = false
    }
}

/// The end of the track: the last fix, and the last recorded point.
struct TrackEnd: Sendable {
    private(set) var lastFix: AcceptedFix?
    /// The place of `lastFix`. Each event needs it, and reading it from the fix would copy the fix.
    private(set) var lastPlace: Coordinate?
    /// True if a fix has come since the departure; meaningless while parked.
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

    /// `hasFix` is true if the last fix showed the departure, which makes it the first of the trip.
    mutating func beginTrip(hasFix: Bool) { isLastFixOfTrip = hasFix }

    mutating func record(_ fix: AcceptedFix) {
        lastRecorded = TrackPoint(fix)
        newPoint = fix.position
    }

    mutating func end(at point: TrackPoint) { lastRecorded = point }

    mutating func breakOff() { lastRecorded = nil }

    /// Returns each new point once, for circles that move with the vehicle.
    mutating func takeNewPoint() -> Position? {
        guard let point = newPoint else { return nil }
        newPoint = nil
        return point
    }
}

struct ArrivalPlace: Sendable {
    let parked: Position?
    /// Nil without a fix since the departure.
    let lastFixOfTrip: AcceptedFix?
    let restedAt: Timestamp
    let now: Instant

    /// In m/s, between the limits of rural roads and of motorways.
    private static let usualSpeed = 30.0
    /// In m/s², for 100 km/h in 9 s.
    private static let usualAcceleration = 3.0

    /// Nil if the place is unknown, since that of an earlier stop would be wrong.
    func place(of arrival: Arrival) -> Position? {
        let seen = arrival.position ?? arrival.lastFix?.position
        if arrival.isFalseStart { return placeOfFalseStart(seen: seen) }
        if let seen { return seen }
        // The stop rules lose their last fix when the options change or the program starts, so use the last fix of the trip.
        if let last = lastFixOfTrip {
            return last.position.blurred(by: Self.reach(in: restedAt - last.time, from: last.position.speed))
        }
        // If neither a fix nor the duration of the motion has confirmed the start, the vehicle is near its parked place.
        return arrival.doubtfulSince.flatMap { began in
            let span = max(.zero, (arrival.stillSince ?? now) - began)
            return parked?.blurred(by: Self.reach(in: span, from: .zero))
        }
    }

    /// The place before the start, unless the vehicle is provably elsewhere; a better fix replaces a vague place.
    private func placeOfFalseStart(seen: Position?) -> Position? {
        guard let parked, let seen else { return parked }
        let isBetter = parked.isVague && seen.error < parked.error
        let isElsewhere = !parked.isVague && seen.isProvablyAway(from: parked, by: DisplacementRule.distance)
        return isBetter || isElsewhere ? seen : parked
    }

    /// How far a vehicle is likely to drive; `speed` is that at the beginning.
    private static func reach(in span: Duration, from speed: MetresPerSecond?) -> Metres {
        let (seconds, speed) = (max(0, span.inSeconds), max(0, speed?.value ?? usualSpeed))
        let accelerated = speed * seconds + usualAcceleration * seconds * seconds / 2
        return Metres(min(accelerated, max(speed, usualSpeed) * seconds))
    }
}
