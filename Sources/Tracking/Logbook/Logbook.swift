import TrackingOptions
import Quantities

/// Keeps the parked place, the last track point, the odometer, trips and visits. It makes all records, so that each
/// states the time, the position, the odometer, the trip, the labels and the regions.
package struct Logbook: Sendable {
    private let keptInMemory = KeptInMemory()
    private var parking: ParkedPlace
    private var track: TrackEnd
    /// A visit that is recorded when the start is confirmed.
    private(set) var pendingVisit: Visit?
    private(set) var odometer: Odometer
    /// True if a user or a server has set the odometer since the program started.
    private(set) var isOdometerSet = false
    private(set) var trips: TripTracker
    private var limit: SignificantLimit
    /// The tag that records have unless the schedule sets another.
    var tag: String?

    init(restoring snapshot: Snapshot) {
        parking = ParkedPlace(snapshot.parked, since: snapshot.parkedSince)
        track = TrackEnd(
            snapshot.lastFix, isOfTrip: snapshot.isLastFixOfTrip, recorded: snapshot.lastRecorded)
        pendingVisit = snapshot.endingStay
        odometer = snapshot.odometer
        trips = TripTracker(restoring: snapshot.trips)
        limit = SignificantLimit(restoring: snapshot.lastUnasked)
        tag = snapshot.tag
    }

    /// Where the vehicle is parked, or was parked last; nil if unknown.
    var parked: Position? { parking.position }

    var parkedSince: Timestamp? { parking.since }

    var lastFix: AcceptedFix? { track.lastFix }

    var isLastFixOfTrip: Bool { track.isLastFixOfTrip }

    var lastRecorded: TrackPoint? { track.lastRecorded }

    func place(isMoving: Bool) -> Position? { isMoving ? lastFix?.position ?? parked : parked }

    var arrival: Timestamp? { parking.arrival }

    /// The place of the last fix, or without one the parked place.
    var lastPlace: Coordinate? { track.lastPlace ?? parking.position?.coordinate }

    /// True if the place is known within the default `accuracyLimit`.
    var isParkedPlaceKnown: Bool { parking.isKnown }

    /// Nil while the vehicle moves, and if the place is unknown.
    func parkedSight(_ turn: Turn) -> TimedPosition? {
        turn.isMoving || !isParkedPlaceKnown ? nil : TimedPosition(time: turn.utc.time, position: parked)
    }

    // MARK: Records

    func record(_ content: Record.Content, in turn: inout Turn) {
        turn.effects.append(.record(record(content, at: place(isMoving: turn.isMoving), turn.utc, turn)))
    }

    /// Returns a record with the data that every record has. It is withheld if the options forbid its upload.
    func record(
        _ content: Record.Content, at place: Position?, _ time: UTCTime, trigger: Record.Trigger? = nil, _ turn: Turn
    ) -> Record {
        var record = Record(
            content, time: time.time, isTimeTrusted: time.isTrusted, position: place, isMoving: turn.isMoving,
            odometer: odometer.distance, trip: trips.number)
        // A report may be recorded after the end of its trip, so it states its own number.
        if case .trip(let report) = content { record.trip = report.number ?? record.trip }
        record.isTimeCounted = time.isTrusted && time.isCounted ? true : nil
        record.tag = turn.labels.tag
        record.vehicle = turn.labels.vehicle
        record.driver = turn.labels.driver
        record.regions = turn.regions.isEmpty ? nil : turn.regions
        record.trigger = trigger
        record.mode = turn.options.monitoring
        (record.ignition, record.supply) = (turn.ignition, turn.supply)
        let isWithheld = turn.options.sync.withholds(record) || turn.options.monitoring.withholds(record)
        record.isWithheld = isWithheld ? true : nil
        return record
    }

    /// Call it with all records of a turn, before they leave the engine.
    mutating func limitRecords(after count: Int, in turn: inout Turn) {
        guard turn.options.monitoring == .significant else { return }
        let shared = turn.shared
        turn.effects.filterRecords(after: count) { limit.withhold($0, shared.options) }
    }

    var lastUnasked: Timestamp? { limit.last }

    /// The end of a trip has its own time and labels, even if it is written later.
    func record(_ event: TripEvent, in turn: inout Turn) {
        let content = Record.Content.trip(event.report)
        guard let end = event.end, let summary = event.report.summary else { return record(content, in: &turn) }
        let place = end.isParked ? parked : place(isMoving: turn.isMoving)
        var written = record(content, at: place, UTCTime(summary.ended, isTrusted: end.isDated), turn)
        if end.isParked { written.isMoving = false }
        written.vehicle = end.labels.vehicle
        written.driver = end.labels.driver
        written.tag = end.labels.tag
        if end.isKept { written.isWithheld = true }
        turn.effects.append(.record(written))
    }

    // MARK: The track

    mutating func take(_ fix: AcceptedFix, isMoving: Bool) {
        track.add(fix, isMoving: isMoving)
    }

    /// Adds time to the trip, and distance unless the vehicle rests.
    mutating func count(_ fix: AcceptedFix, isAtRest: Bool) {
        odometer.add(fix, isAtRest: isAtRest)
        trips.add(fix, isAtRest: isAtRest)
    }

    /// Notes a fix that no vehicle could have reached, so that the distance does not count.
    mutating func noteJump(to fix: AcceptedFix) { odometer.jump(to: fix) }

    /// Records nothing in a mode that records only on request.
    mutating func keep(_ fix: AcceptedFix, in turn: inout Turn) {
        guard turn.options.monitoring.recordsUnasked else { return }
        track.record(fix)
        trips.addRecord()
        turn.effects.append(.record(record(.location, at: fix.position, UTCTime(fix.time, isTrusted: true), turn)))
    }

    mutating func takeNewPoint() -> Position? { track.takeNewPoint() }

    /// The length of the trip under way does not change.
    mutating func setOdometer(to distance: Metres) {
        trips.odometerWasSet(from: odometer.distance, to: distance)
        odometer.set(to: distance)
        isOdometerSet = true
    }

    mutating func correct(by span: Duration) {
        trips.correct(by: span)
        parking.correct(by: span)
        limit.correct(by: span)
    }

    // MARK: Parked

    /// Notes the parked place, and keeps a known time of rest. The first good place of a new installation is recorded,
    /// so that the owner sees it.
    mutating func find(at fix: AcceptedFix, in turn: inout Turn) {
        let isNew = trips.log.count == 0 && !isParkedPlaceKnown
        park(at: fix.position, since: UTCTime(parkedSince ?? fix.time, isTrusted: !parking.isEstimated))
        guard isNew, isParkedPlaceKnown else { return }
        track.end(at: TrackPoint(fix))
        turn.effects.append(.record(record(.motionchange, at: parked, UTCTime(fix.time, isTrusted: true), turn)))
    }

    mutating func park(at position: Position, _ time: Timestamp, trigger: Record.Trigger?, in turn: inout Turn) {
        park(at: position, since: UTCTime(time, isTrusted: true))
        track.end(at: TrackPoint(coordinate: position.coordinate, time: time))
        let time = UTCTime(time, isTrusted: true)
        turn.effects.append(.record(record(.motionchange, at: parked, time, trigger: trigger, turn)))
    }

    private mutating func park(at position: Position?, since time: UTCTime) {
        parking.move(to: position, since: time)
        if let parked { odometer.park(at: parked.coordinate) }
    }
}

// MARK: - Departure and arrival

extension Logbook {
    /// What `write` records after the change to the moving state.
    struct DepartureEntry: Sendable {
        let place: Position?
        let time: UTCTime
        let trigger: Record.Trigger?
        let ended: [TripEvent]
        /// A visit that an unseen move has ended.
        var visit: (Visit, at: Position?)?
    }

    mutating func depart(_ departure: Departure, _ turn: Turn) -> DepartureEntry {
        var time =
            departure.parkedUntil.map { UTCTime($0, isTrusted: true) }
            ?? turn.time.time(at: departure.began ?? turn.now)
        // A trip begins at the earliest when a private period ends.
        if time.isTrusted, let publicSince = turn.publicSince { time.time = max(time.time, publicSince) }
        // If no parked place is known, as before the very first stop, or if it is private, the trip begins at the fix.
        let known = parked.flatMap { place in turn.privatePlaces.contains { $0.mayContain(place) } ? nil : place }
        let start = departure.isUnseen ? departure.fix?.position : known ?? departure.fix?.position
        let moment = tripMoment(time, at: start?.coordinate, turn)
        let gap = departure.isUnseen ? .zero : turn.options.tripGap
        let ended = turn.isPrivate ? [] : trips.depart(at: moment, gap: gap)
        if !turn.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        pendingVisit =
            turn.options.useVisits ? parkedSince.map { Visit(arrived: $0, departed: time.time) } : nil
        // If a fix showed the departure, it is the first fix of the trip.
        track.beginTrip(hasFix: departure.fix != nil)
        if let start { track.end(at: TrackPoint(coordinate: start.coordinate, time: time.time)) }
        guard departure.isUnseen else { return DepartureEntry(place: start, time: time, trigger: nil, ended: ended) }
        defer {
            pendingVisit = nil
            park(at: start, since: time)
        }
        return DepartureEntry(
            place: start, time: time, trigger: .movedUnseen, ended: ended,
            visit: pendingVisit.map { ($0, at: parked) })
    }

    /// Records the end of the last trip, and the parked place, without which the track would have a gap.
    func write(_ entry: DepartureEntry, in turn: inout Turn) {
        for event in entry.ended { record(event, in: &turn) }
        if let (visit, place) = entry.visit {
            turn.effects.append(.record(record(.visit(visit), at: place, entry.time, turn)))
        }
        let anchor = record(.motionchange, at: entry.place, entry.time, trigger: entry.trigger, turn)
        turn.effects.append(.record(anchor))
    }

    /// Moves the start of the trip to the place to which the vehicle was moved unseen, and records that place.
    mutating func beginTripElsewhere(at fix: AcceptedFix, in turn: inout Turn) {
        endVisit(in: &turn)
        let time = UTCTime(fix.time, isTrusted: true)
        park(at: fix.position, since: time)
        trips.moveStart(to: fix.coordinate)
        track.end(at: TrackPoint(fix))
        turn.effects.append(
            .record(record(.motionchange, at: fix.position, time, trigger: .movedUnseen, turn)))
    }

    /// Records the start of the trip, and the end of the visit before it.
    mutating func confirmTrip(in turn: inout Turn) {
        for event in trips.confirm() { record(event, in: &turn) }
        endVisit(in: &turn)
    }

    private mutating func endVisit(in turn: inout Turn) {
        guard let visit = pendingVisit else { return }
        let now = turn.utc
        let time = UTCTime(visit.departed ?? now.time, isTrusted: now.isTrusted)
        turn.effects.append(.record(record(.visit(visit), at: parked, time, turn)))
        pendingVisit = nil
    }

    mutating func arrive(_ arrival: Arrival, in turn: inout Turn) {
        if !arrival.isFalseStart, turn.options.recordsTrack || turn.options.arrivalPoints > 0 {
            for fix in lastPoints(of: arrival, limit: turn.options.arrivalPoints) {
                keep(fix, in: &turn)
            }
        }
        turn.isMoving = false
        let time =
            arrival.restedSince.map { UTCTime($0, isTrusted: true) }
            ?? turn.time.time(at: arrival.stillSince ?? turn.now)
        pendingVisit = nil
        if let fix = arrival.foundBy, arrival.position == fix.position { odometer.add(fix, isAtRest: false) }
        let place = ArrivalPlace(
            parked: parked, lastFixOfTrip: isLastFixOfTrip ? lastFix : nil, restedAt: time.time, now: turn.now
        ).place(of: arrival)
        let hasStayed = arrival.isFalseStart && place == parked
        park(at: place, since: UTCTime(hasStayed ? parkedSince ?? time.time : time.time, isTrusted: time.isTrusted))
        if let place { track.end(at: TrackPoint(coordinate: place.coordinate, time: time.time)) }
        turn.effects.append(.record(record(.motionchange, at: parked, time, turn)))
        if turn.options.useVisits, !arrival.isFalseStart {
            turn.effects.append(.record(record(.visit(Visit(arrived: time.time)), at: parked, time, turn)))
        }
        let moment = tripMoment(time, at: parked?.coordinate, turn)
        for event in trips.arrive(at: moment, gap: turn.options.tripGap) { record(event, in: &turn) }
    }

    /// Returns the points of the trip and the stop that are not recorded yet: at most `limit`, or one if that is 0.
    private func lastPoints(of arrival: Arrival, limit: Int) -> [AcceptedFix] {
        var points: [AcceptedFix] = []
        var last = lastRecorded?.time
        for fix in arrival.points + [arrival.lastFix].compactMap({ $0 }) where last.map({ fix.time > $0 }) ?? true {
            points.append(fix)
            last = fix.time
        }
        return points.count > limit ? points.suffix(max(1, limit)) : points
    }
}

// MARK: - Trips by command

extension Logbook {
    /// Starts a trip that later stops do not end. Returns false if it is already under way, because a server repeated
    /// the command.
    mutating func startTrip(_ report: TripReport, in turn: inout Turn) -> Bool {
        if let id = report.externalID, trips.log.goesOn(as: id) {
            turn.effects.decide(.request, "trip `\(id)` is already under way")
            return false
        }
        let moment = tripMoment(turn)
        turn.effects.cancel(.tripGap)
        let events = trips.start(report, at: moment, isMoving: turn.isMoving || !turn.isSuspended)
        if !turn.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        for event in events { record(event, in: &turn) }
        return true
    }

    mutating func endTrip(isDriving: Bool, in turn: inout Turn) {
        for event in trips.stop(at: tripMoment(turn), isMoving: isDriving) {
            record(event, in: &turn)
        }
    }

    /// Arms the timer for the end of the gap if a trip is paused.
    mutating func waitForGap(in turn: inout Turn) {
        guard let moment = trips.waitForGap(turn.options.tripGap, at: turn.now) else { return }
        turn.effects.arm(.tripGap, at: moment)
    }

    /// Ends the trip if the stop has lasted for `tripGap`.
    mutating func endGap(in turn: inout Turn) {
        for event in trips.endGap(at: turn.now) { record(event, in: &turn) }
    }

    // MARK: Private periods

    /// The trip ends at the last place before the private period.
    mutating func endTripBeforePrivacy(in turn: inout Turn) {
        if trips.log.isPaused { turn.effects.cancel(.tripGap) }
        var moment = tripMoment(turn)
        if turn.isMoving, isLastFixOfTrip, let lastFix { moment.time = UTCTime(lastFix.time, isTrusted: true) }
        for event in trips.cut(at: moment) { record(event, in: &turn) }
    }

    mutating func resumeAfterPrivacy(in turn: inout Turn) {
        pendingVisit = nil
        track.breakOff()
        guard !turn.isMoving, isParkedPlaceKnown, let parked else { return }
        parking.arrive(notBefore: turn.utc.time)
        track.end(at: TrackPoint(coordinate: parked.coordinate, time: turn.utc.time))
        turn.effects.append(.record(record(.motionchange, at: parked, turn.utc, turn)))
    }

    /// Begins a trip at the first fix after a private period, unless a trip is under way.
    mutating func beginTrip(at fix: AcceptedFix, isConfirmed: Bool, in turn: inout Turn) {
        guard trips.number == nil else { return }
        track.breakOff()
        let moment = tripMoment(UTCTime(fix.time, isTrusted: true), at: fix.coordinate, turn)
        let events = trips.begin(at: moment, isConfirmed: isConfirmed)
        if !turn.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        for event in events { record(event, in: &turn) }
    }

    private func tripMoment(_ turn: Turn) -> TripMoment {
        tripMoment(turn.utc, at: place(isMoving: turn.isMoving)?.coordinate, turn)
    }

    private func tripMoment(_ time: UTCTime, at place: Coordinate?, _ turn: Turn) -> TripMoment {
        TripMoment(time: time, place: place, odometer: odometer.distance, labels: turn.labels)
    }
}
