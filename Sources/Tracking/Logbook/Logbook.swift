import TrackingOptions
import Quantities

/// Stores the parked place, the last track point, the odometer, the trips and the visits of the vehicle, and makes the records.
///
/// The logbook makes all records. Each record therefore contains the same data: time, position, odometer, trip, labels and
/// regions.
package struct Logbook: Sendable {
    /// Where the vehicle is parked or was last parked; nil if this place is unknown.
    private(set) var parked: Position?
    /// When the vehicle came to rest at `parked`; nil before the vehicle was first parked.
    private(set) var parkedSince: Timestamp?
    /// Whether this run of the program took `parkedSince` from an untrusted clock.
    private var isParkedSinceEstimated = false
    /// The last accepted fix.
    private(set) var lastFix: AcceptedFix?
    /// Whether `lastFix` arrived after the departure; meaningless while the vehicle is parked.
    private(set) var isLastFixOfTrip = false
    /// The last point of the track.
    private(set) var lastRecorded: TrackPoint?
    /// The completed visit that the logbook records when the start is confirmed.
    private(set) var pendingVisit: Visit?
    /// The odometer.
    private(set) var odometer: Odometer
    /// Whether a user or server has set the odometer since the program started.
    private(set) var isOdometerSet = false
    /// The trips.
    private(set) var trips: TripTracker
    /// The tag of records, unless the schedule sets another tag.
    var tag: String?
    /// The position of the newest track point, for circles that move with the vehicle; nil if there is none, or if
    /// `takeNewPoint` has already returned it.
    private var newPoint: Position?

    init(restoring snapshot: Snapshot) {
        parked = snapshot.parked
        parkedSince = snapshot.parkedSince
        lastFix = snapshot.lastFix
        isLastFixOfTrip = snapshot.isLastFixOfTrip
        lastRecorded = snapshot.lastRecorded
        pendingVisit = snapshot.endingStay
        odometer = snapshot.odometer
        trips = TripTracker(restoring: snapshot.trips)
        tag = snapshot.tag
    }

    /// Returns the last known position of the vehicle; nil if no position is known.
    func place(isMoving: Bool) -> Position? { isMoving ? lastFix?.position ?? parked : parked }

    /// When the vehicle came to rest at `parked`; nil if that is unknown, or if only an untrusted clock dates it.
    var arrival: Timestamp? { isParkedSinceEstimated ? nil : parkedSince }

    /// The place of the last accepted fix; without a fix, the parked place.
    var lastPlace: Coordinate? { lastFix?.coordinate ?? parked?.coordinate }

    /// Whether the parked place is at least as accurate as the default `accuracyLimit` requires.
    var isParkedPlaceKnown: Bool { parked.map { !$0.isVague } ?? false }

    // MARK: Records

    /// Records an event at the present time and position of the vehicle.
    func record(_ content: Record.Content, _ context: Context, into effects: inout EffectBuffer) {
        effects.append(.record(record(content, at: place(isMoving: context.isMoving), context.utc, context)))
    }

    /// Returns a record with the data that every record contains; marks the record as withheld if the options forbid its upload.
    func record(
        _ content: Record.Content, at place: Position?, _ time: UTCTime, trigger: Record.Trigger? = nil,
        _ context: Context
    ) -> Record {
        var record = Record(
            content, time: time.time, isTimeTrusted: time.isTrusted, position: place, isMoving: context.isMoving,
            odometer: odometer.distance, trip: content.tripNumber ?? trips.number)
        record.isTimeCounted = time.isTrusted && time.isCounted ? true : nil
        record.tag = context.labels.tag
        record.vehicle = context.labels.vehicle
        record.driver = context.labels.driver
        record.regions = context.regions.isEmpty ? nil : context.regions
        record.trigger = trigger
        record.mode = context.options.monitoring
        (record.ignition, record.supply) = (context.ignition, context.supply)
        let isWithheld = context.options.sync.withholds(record) || context.options.monitoring.withholds(record)
        record.isWithheld = isWithheld ? true : nil
        return record
    }

    /// Records the start or the end of a trip.
    ///
    /// The record of a trip's end contains the time and labels of the end, even if the engine writes the record later.
    func record(_ event: TripEvent, _ context: Context, into effects: inout EffectBuffer) {
        let content = Record.Content.trip(event.report)
        guard let end = event.end, let summary = event.report.summary else {
            return record(content, context, into: &effects)
        }
        let place = end.isParked ? parked : place(isMoving: context.isMoving)
        var written = record(content, at: place, UTCTime(summary.ended, isTrusted: end.isDated), context)
        if end.isParked { written.isMoving = false }
        written.vehicle = end.labels.vehicle
        written.driver = end.labels.driver
        written.tag = end.labels.tag
        if end.isKept { written.isWithheld = true }
        effects.append(.record(written))
    }

    // MARK: The track

    /// Stores an accepted fix as the last fix.
    mutating func take(_ fix: AcceptedFix, isMoving: Bool) {
        lastFix = fix
        if isMoving { isLastFixOfTrip = true }
    }

    /// Adds the time since the previous fix to the trip, and the distance to the odometer unless the vehicle rests.
    mutating func count(_ fix: AcceptedFix, isAtRest: Bool) {
        odometer.add(fix, isAtRest: isAtRest)
        trips.add(fix, isAtRest: isAtRest)
    }

    /// Handles an accepted fix that no vehicle could have reached from the previous fix; the distance between them does not
    /// count.
    mutating func noteJump(to fix: AcceptedFix) { odometer.jump(to: fix) }

    /// Records a fix as a point of the track, unless the monitoring mode records only on request.
    mutating func keep(_ fix: AcceptedFix, _ context: Context, into effects: inout EffectBuffer) {
        guard context.options.monitoring.recordsUnasked else { return }
        lastRecorded = TrackPoint(fix)
        newPoint = fix.position
        trips.addRecord()
        effects.append(.record(record(.location, at: fix.position, UTCTime(fix.time, isTrusted: true), context)))
    }

    /// Returns the position of the last track point since the last call; nil if there was none.
    mutating func takeNewPoint() -> Position? {
        guard let point = newPoint else { return nil }
        newPoint = nil
        return point
    }

    /// Sets the odometer; the length of the trip under way does not change.
    mutating func setOdometer(to distance: Metres) {
        trips.odometerWasSet(from: odometer.distance, to: distance)
        odometer.set(to: distance)
        isOdometerSet = true
    }

    /// Corrects the times that this run took from an untrusted clock.
    mutating func correct(by span: Duration) {
        trips.correct(by: span)
        if isParkedSinceEstimated { parkedSince = parkedSince.map { $0 + span } }
        isParkedSinceEstimated = false
    }

    // MARK: Parked

    /// Stores a new parked place; if the time at which the vehicle came to rest is known, that time remains.
    ///
    /// The logbook records the first good place of a new installation. The owner then sees the vehicle before its first trip.
    mutating func find(at fix: AcceptedFix, _ context: Context, into effects: inout EffectBuffer) {
        let isNew = trips.log.count == 0 && !isParkedPlaceKnown
        park(at: fix.position, since: UTCTime(parkedSince ?? fix.time, isTrusted: !isParkedSinceEstimated))
        guard isNew, isParkedPlaceKnown else { return }
        lastRecorded = TrackPoint(fix)
        effects.append(.record(record(.motionchange, at: parked, UTCTime(fix.time, isTrusted: true), context)))
    }

    /// Stores and records another parked place, because fixes show the parked vehicle there.
    mutating func park(
        at position: Position, _ time: Timestamp, trigger: Record.Trigger?, _ context: Context,
        into effects: inout EffectBuffer
    ) {
        park(at: position, since: UTCTime(time, isTrusted: true))
        lastRecorded = TrackPoint(coordinate: position.coordinate, time: time)
        let time = UTCTime(time, isTrusted: true)
        effects.append(.record(record(.motionchange, at: parked, time, trigger: trigger, context)))
    }

    private mutating func park(at position: Position?, since time: UTCTime) {
        parked = position
        parked?.speed = nil
        parked?.course = nil
        parkedSince = time.time
        isParkedSinceEstimated = !time.isTrusted
        if let parked { odometer.park(at: parked.coordinate) }
    }
}

// MARK: - Departure and arrival

extension Logbook {
    /// The data of a departure; the engine writes the records after it has changed to the moving state.
    struct DepartureEntry: Sendable {
        let place: Position?
        let time: UTCTime
        let trigger: Record.Trigger?
        let ended: [TripEvent]
        /// The visit that an unseen move has ended, and its place.
        var visit: (Visit, at: Position?)?
    }

    /// Begins or continues a trip; returns the entry to write.
    mutating func depart(_ departure: Departure, _ context: Context) -> DepartureEntry {
        var time =
            departure.parkedUntil.map { UTCTime($0, isTrusted: true) }
            ?? context.time.time(at: departure.began ?? context.now)
        // A trip begins at the earliest when a private period ends.
        if time.isTrusted, let publicSince = context.publicSince { time.time = max(time.time, publicSince) }
        // If no parked place is known, as before the very first stop, or if it is private, the trip begins at the fix.
        let known = parked.flatMap { place in context.privatePlaces.contains { $0.mayContain(place) } ? nil : place }
        let start = departure.isUnseen ? departure.fix?.position : known ?? departure.fix?.position
        let moment = tripMoment(time, at: start?.coordinate, context)
        let gap = departure.isUnseen ? .zero : context.options.tripGap
        let ended = context.isPrivate ? [] : trips.depart(at: moment, gap: gap)
        if !context.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        pendingVisit =
            context.options.useVisits ? parkedSince.map { Visit(arrived: $0, departed: time.time) } : nil
        // If a fix showed the departure, it is the first fix of the trip.
        isLastFixOfTrip = departure.fix != nil
        if let start { lastRecorded = TrackPoint(coordinate: start.coordinate, time: time.time) }
        guard departure.isUnseen else { return DepartureEntry(place: start, time: time, trigger: nil, ended: ended) }
        defer {
            pendingVisit = nil
            park(at: start, since: time)
        }
        return DepartureEntry(
            place: start, time: time, trigger: .movedUnseen, ended: ended,
            visit: pendingVisit.map { ($0, at: parked) })
    }

    /// Writes a departure: the end of the last trip, and a record at the parked place.
    ///
    /// Without the record at the parked place, the track would have a gap.
    func write(_ entry: DepartureEntry, _ context: Context, into effects: inout EffectBuffer) {
        for event in entry.ended { record(event, context, into: &effects) }
        if let (visit, place) = entry.visit {
            effects.append(.record(record(.visit(visit), at: place, entry.time, context)))
        }
        let anchor = record(.motionchange, at: entry.place, entry.time, trigger: entry.trigger, context)
        effects.append(.record(anchor))
    }

    /// Begins the trip under way at its first fix, because the vehicle was moved there unseen, and records the move.
    mutating func beginTripElsewhere(at fix: AcceptedFix, _ context: Context, into effects: inout EffectBuffer) {
        endVisit(context, into: &effects)
        let time = UTCTime(fix.time, isTrusted: true)
        park(at: fix.position, since: time)
        trips.moveStart(to: fix.coordinate)
        lastRecorded = TrackPoint(fix)
        effects.append(
            .record(record(.motionchange, at: fix.position, time, trigger: .movedUnseen, context)))
    }

    /// Records the start of the trip and the end of the visit before it, because the start was real.
    mutating func confirmTrip(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.confirm() { record(event, context, into: &effects) }
        endVisit(context, into: &effects)
    }

    private mutating func endVisit(_ context: Context, into effects: inout EffectBuffer) {
        guard let visit = pendingVisit else { return }
        let now = context.utc
        let time = UTCTime(visit.departed ?? now.time, isTrusted: now.isTrusted)
        effects.append(.record(record(.visit(visit), at: parked, time, context)))
        pendingVisit = nil
    }

    /// Writes the last fixes and the place of arrival.
    mutating func arrive(_ arrival: Arrival, _ context: Context, into effects: inout EffectBuffer) {
        var context = context
        if !arrival.isFalseStart, context.options.recordsTrack || context.options.arrivalPoints > 0 {
            for fix in lastPoints(of: arrival, limit: context.options.arrivalPoints) {
                keep(fix, context, into: &effects)
            }
        }
        context.isMoving = false
        let time =
            arrival.restedSince.map { UTCTime($0, isTrusted: true) }
            ?? context.time.time(at: arrival.stillSince ?? context.now)
        pendingVisit = nil
        if let fix = arrival.foundBy, arrival.position == fix.position { odometer.add(fix, isAtRest: false) }
        let place = ArrivalPlace(
            parked: parked, lastFixOfTrip: isLastFixOfTrip ? lastFix : nil, restedAt: time.time, now: context.now
        ).place(of: arrival)
        let hasStayed = arrival.isFalseStart && place == parked
        park(at: place, since: UTCTime(hasStayed ? parkedSince ?? time.time : time.time, isTrusted: time.isTrusted))
        if let place { lastRecorded = TrackPoint(coordinate: place.coordinate, time: time.time) }
        effects.append(.record(record(.motionchange, at: parked, time, context)))
        if context.options.useVisits, !arrival.isFalseStart {
            effects.append(.record(record(.visit(Visit(arrived: time.time)), at: parked, time, context)))
        }
        let moment = tripMoment(time, at: parked?.coordinate, context)
        for event in trips.arrive(at: moment, gap: context.options.tripGap) { record(event, context, into: &effects) }
    }

    /// Returns the last fixes of the trip and of the stop that are not recorded yet: at most `limit`, or one if `limit` is 0.
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
    /// Starts a trip by command; returns false if that trip is already under way, because a server repeated the command.
    mutating func startTrip(
        _ report: TripReport, isTracking: Bool, _ context: Context, into effects: inout EffectBuffer
    ) -> Bool {
        if let id = report.externalID, trips.log.goesOn(as: id) {
            effects.decide(.request, "trip `\(id)` is already under way")
            return false
        }
        let moment = tripMoment(context)
        effects.cancel(.tripGap)
        let events = trips.start(report, at: moment, isMoving: context.isMoving || isTracking)
        if !context.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        for event in events { record(event, context, into: &effects) }
        return true
    }

    /// Ends the trip that was started by command.
    mutating func endTrip(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.stop(at: tripMoment(context), isMoving: context.isMoving) {
            record(event, context, into: &effects)
        }
    }

    /// Arms the timer for the end of `tripGap` if a trip is paused.
    mutating func waitForGap(_ context: Context, into effects: inout EffectBuffer) {
        guard let moment = trips.waitForGap(context.options.tripGap, at: context.now) else { return }
        effects.arm(.tripGap, at: moment)
    }

    /// Ends the trip if the stop has lasted for `tripGap`.
    mutating func endGap(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.endGap(at: context.now) { record(event, context, into: &effects) }
    }

    // MARK: Private periods

    /// Ends the trip at the last place before a private period.
    mutating func endTripBeforePrivacy(_ context: Context, into effects: inout EffectBuffer) {
        if trips.log.isPaused { effects.cancel(.tripGap) }
        var moment = tripMoment(context)
        if context.isMoving, isLastFixOfTrip, let lastFix { moment.time = UTCTime(lastFix.time, isTrusted: true) }
        for event in trips.cut(at: moment) { record(event, context, into: &effects) }
    }

    /// Records where a parked vehicle is, because a private period has ended.
    mutating func resumeAfterPrivacy(_ context: Context, into effects: inout EffectBuffer) {
        (pendingVisit, lastRecorded) = (nil, nil)
        guard !context.isMoving, isParkedPlaceKnown, let parked else { return }
        parkedSince = max(parkedSince ?? context.utc.time, context.utc.time)
        lastRecorded = TrackPoint(coordinate: parked.coordinate, time: context.utc.time)
        effects.append(.record(record(.motionchange, at: parked, context.utc, context)))
    }

    /// Begins a trip at the first fix after a private period, unless a trip is under way.
    mutating func beginTrip(
        at fix: AcceptedFix, isConfirmed: Bool, _ context: Context, into effects: inout EffectBuffer
    ) {
        guard trips.number == nil else { return }
        lastRecorded = nil
        let moment = tripMoment(UTCTime(fix.time, isTrusted: true), at: fix.coordinate, context)
        let events = trips.begin(at: moment, isConfirmed: isConfirmed)
        if !context.options.monitoring.recordsUnasked { trips.keepOnDevice() }
        for event in events { record(event, context, into: &effects) }
    }

    private func tripMoment(_ context: Context) -> TripMoment {
        tripMoment(context.utc, at: place(isMoving: context.isMoving)?.coordinate, context)
    }

    private func tripMoment(_ time: UTCTime, at place: Coordinate?, _ context: Context) -> TripMoment {
        TripMoment(time: time, place: place, odometer: odometer.distance, labels: context.labels)
    }
}

extension Record.Content {
    /// Number of the trip that the record describes; this trip may have ended already.
    fileprivate var tripNumber: Int? {
        if case .trip(let report) = self { report.number } else { nil }
    }
}
