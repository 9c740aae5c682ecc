import TrackingOptions
import Quantities

/// What is known of the vehicle's way, and the records of it: place, track, odometer, trips and visits.
///
/// Each record is made here, so that each carries the same: time, place, odometer, trip, labels and regions.
package struct Logbook: Sendable {
    /// Where the vehicle is parked, or was parked last; nil before the first good fix.
    private(set) var parked: Position?
    /// When it came to rest there.
    private(set) var parkedSince: Timestamp?
    /// Whether `parkedSince` was estimated, in this run, from an untrusted clock.
    private var isParkedSinceEstimated = false
    /// The last fix that was accepted.
    private(set) var lastFix: AcceptedFix?
    /// Whether `lastFix` was taken since the departure; without meaning while the vehicle is parked.
    private(set) var isLastFixOfTrip = false
    /// The last point of the track.
    private(set) var lastRecorded: TrackPoint?
    /// The visit that ends, if the start turns out to be real.
    private(set) var pendingVisit: Visit?
    /// The odometer.
    private(set) var odometer: Odometer
    /// Whether somebody has set the odometer since the program started.
    private(set) var isOdometerSet = false
    /// The trips.
    private(set) var trips: TripTracker
    /// The tag of records, unless the schedule has another one.
    var tag: String?
    /// The place of the last point of the track that this event recorded, for circles that move along.
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

    /// Where the vehicle is, as far as that is known.
    func place(isMoving: Bool) -> Position? { isMoving ? lastFix?.position ?? parked : parked }

    /// Whether the parked place is known as well as any fix that is used by default.
    var isParkedPlaceKnown: Bool { parked.map { !$0.isVague } ?? false }

    // MARK: Records

    /// Records something that happened now, where the vehicle is.
    func record(_ content: Record.Content, _ context: Context, into effects: inout EffectBuffer) {
        effects.append(.record(record(content, at: place(isMoving: context.isMoving), context.utc, context)))
    }

    /// A record with what every record carries, marked if the options keep it on the device.
    func record(
        _ content: Record.Content, at place: Position?, _ time: UTCTime, trigger: Record.Trigger? = nil,
        _ context: Context
    ) -> Record {
        var record = Record(
            content, time: time.time, isTimeTrusted: time.isTrusted, position: place, isMoving: context.isMoving,
            odometer: odometer.distance, trip: content.tripNumber ?? trips.number)
        record.tag = context.labels.tag
        record.vehicle = context.labels.vehicle
        record.driver = context.labels.driver
        record.regions = context.regions.isEmpty ? nil : context.regions
        record.trigger = trigger
        let isWithheld = context.options.sync.withholds(record) || context.options.monitoring.withholds(record)
        record.isWithheld = isWithheld ? true : nil
        return record
    }

    /// Records the start or the end of a trip; the end carries the time and the labels that it had, however late it is recorded.
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
        effects.append(.record(written))
    }

    // MARK: The track

    /// Takes in an accepted fix.
    mutating func take(_ fix: AcceptedFix, isMoving: Bool) {
        lastFix = fix
        if isMoving { isLastFixOfTrip = true }
    }

    /// Counts the distance and the time to a fix while the vehicle moves.
    mutating func count(_ fix: AcceptedFix, isAtRest: Bool) {
        odometer.add(fix, isAtRest: isAtRest)
        trips.add(fix, isAtRest: isAtRest)
    }

    /// Notes that the fix that was accepted last cannot follow the one before: the distance to it does not count.
    mutating func noteJump(to fix: AcceptedFix) { odometer.jump(to: fix) }

    /// Records a fix as a point of the track, if the mode records anything unasked.
    mutating func keep(_ fix: AcceptedFix, _ context: Context, into effects: inout EffectBuffer) {
        guard context.options.monitoring.recordsUnasked else { return }
        lastRecorded = TrackPoint(fix)
        newPoint = fix.position
        trips.addRecord()
        effects.append(.record(record(.location, at: fix.position, UTCTime(fix.time, isTrusted: true), context)))
    }

    /// Returns the place of the last point that was recorded since the last call, nil if there was none.
    mutating func takeNewPoint() -> Position? {
        guard let point = newPoint else { return nil }
        newPoint = nil
        return point
    }

    /// Sets the odometer; the trip under way is as long as it was.
    mutating func setOdometer(to distance: Metres) {
        trips.odometerWasSet(from: odometer.distance, to: distance)
        odometer.set(to: distance)
        isOdometerSet = true
    }

    /// Corrects what this run has dated with an untrusted clock.
    mutating func correct(by span: Duration) {
        trips.correct(by: span)
        if isParkedSinceEstimated { parkedSince = parkedSince.map { $0 + span } }
        isParkedSinceEstimated = false
    }

    // MARK: Parked

    /// Notes the place at which the vehicle was found parked; it has been there since it came to rest, if that is known.
    mutating func find(at fix: AcceptedFix) {
        park(at: fix.position, since: UTCTime(parkedSince ?? fix.time, isTrusted: !isParkedSinceEstimated))
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
    /// The entry of a departure: written when the vehicle counts as moving.
    struct DepartureEntry: Sendable {
        let place: Position?
        let time: UTCTime
        let ended: [TripEvent]
    }

    /// Begins a trip, or goes on with one; returns what to write.
    mutating func depart(_ departure: Departure, _ context: Context) -> DepartureEntry {
        let time =
            departure.parkedUntil.map { UTCTime($0, isTrusted: true) }
            ?? context.time.time(at: departure.began ?? context.now)
        // On the very first start no parked place is known; then the trip begins where the vehicle is.
        let start = parked ?? departure.fix?.position
        let ended = trips.depart(at: tripMoment(time, at: start?.coordinate, context), gap: context.options.tripGap)
        pendingVisit =
            context.options.useVisits ? parkedSince.map { Visit(arrived: $0, departed: time.time) } : nil
        // A fix that showed the departure is the first of the trip.
        isLastFixOfTrip = departure.fix != nil
        if let start { lastRecorded = TrackPoint(coordinate: start.coordinate, time: time.time) }
        return DepartureEntry(place: start, time: time, ended: ended)
    }

    /// Writes a departure: the trip that it ends, and the anchor at the parked place, so that the track has no gap.
    func write(_ entry: DepartureEntry, _ context: Context, into effects: inout EffectBuffer) {
        for event in entry.ended { record(event, context, into: &effects) }
        effects.append(.record(record(.motionchange, at: entry.place, entry.time, context)))
    }

    /// Writes that the start was real: the trip begins, and the visit before it is over.
    mutating func confirmTrip(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.confirm() { record(event, context, into: &effects) }
        guard let visit = pendingVisit else { return }
        let now = context.utc
        let time = UTCTime(visit.departed ?? now.time, isTrusted: now.isTrusted)
        effects.append(.record(record(.visit(visit), at: parked, time, context)))
        pendingVisit = nil
    }

    /// Writes the last fixes and the place of arrival.
    mutating func arrive(_ arrival: Arrival, _ context: Context, into effects: inout EffectBuffer) {
        var context = context
        if !arrival.isFalseStart {
            for fix in lastPoints(of: arrival, limit: context.options.arrivalPoints) {
                keep(fix, context, into: &effects)
            }
        }
        context.isMoving = false
        let time =
            arrival.restedSince.map { UTCTime($0, isTrusted: true) }
            ?? context.time.time(at: arrival.stillSince ?? context.now)
        let since = arrival.isFalseStart ? parkedSince ?? time.time : time.time
        pendingVisit = nil
        let place = ArrivalPlace(
            parked: parked, lastFixOfTrip: isLastFixOfTrip ? lastFix : nil, restedAt: time.time, now: context.now
        ).place(of: arrival)
        park(at: place, since: UTCTime(since, isTrusted: time.isTrusted))
        if let place { lastRecorded = TrackPoint(coordinate: place.coordinate, time: time.time) }
        effects.append(.record(record(.motionchange, at: parked, time, context)))
        if context.options.useVisits, !arrival.isFalseStart {
            effects.append(.record(record(.visit(Visit(arrived: time.time)), at: parked, time, context)))
        }
        let moment = tripMoment(time, at: parked?.coordinate, context)
        for event in trips.arrive(at: moment, gap: context.options.tripGap) { record(event, context, into: &effects) }
    }

    /// The last fix before the receiver goes off, and some of the rest, unless they are recorded already.
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
    /// Starts a trip by command; returns false if that trip is under way already: the answer to the first order was lost.
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
        for event in events { record(event, context, into: &effects) }
        return true
    }

    /// Ends the trip that was started by command.
    mutating func endTrip(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.stop(at: tripMoment(context), isMoving: context.isMoving) {
            record(event, context, into: &effects)
        }
    }

    /// Waits until the stop has lasted for `tripGap`, if a trip waits for that.
    mutating func waitForGap(_ context: Context, into effects: inout EffectBuffer) {
        guard let moment = trips.waitForGap(context.options.tripGap, at: context.now) else { return }
        effects.arm(.tripGap, at: moment)
    }

    /// Splits the trip, since the stop has lasted for `tripGap`.
    mutating func endGap(_ context: Context, into effects: inout EffectBuffer) {
        for event in trips.endGap(at: context.now) { record(event, context, into: &effects) }
    }

    private func tripMoment(_ context: Context) -> TripMoment {
        tripMoment(context.utc, at: place(isMoving: context.isMoving)?.coordinate, context)
    }

    private func tripMoment(_ time: UTCTime, at place: Coordinate?, _ context: Context) -> TripMoment {
        TripMoment(time: time, place: place, odometer: odometer.distance, labels: context.labels)
    }
}

extension Record.Content {
    /// The trip that it is about, which may be over.
    fileprivate var tripNumber: Int? {
        if case .trip(let report) = self { report.number } else { nil }
    }
}
