import Quantities

/// Stores the trip log, and the data that only this run of the program needs.
///
/// These data are the end of a gap, and the trips whose times this run has estimated.
struct TripTracker: Sendable {
    /// The trips; they survive a restart.
    private(set) var log: TripLog
    /// When the last stop becomes long enough to end the trip; nil if no stop waits for that moment.
    ///
    /// A departure does not clear the value; the confirmation of the start clears it.
    private var gapEnd: Instant?
    /// The number of the trip whose start time this run took from an untrusted clock.
    private var estimatedStart: Int?
    /// The number of the trip whose end time this run took from an untrusted clock.
    private var estimatedEnd: Int?

    init(restoring log: TripLog) { self.log = log }

    /// The number of the trip under way; nil between trips.
    var number: Int? { log.number }

    /// Handles a departure; returns the end of the last trip if the stop was too long to belong to that trip.
    mutating func depart(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        let count = log.count
        defer { noteEstimate(of: moment, after: count) }
        return log.depart(at: moment, gap: gap)
    }

    /// Confirms that the start was real; the first call for a trip returns the report of the start.
    mutating func confirm() -> [TripEvent] {
        gapEnd = nil
        return log.confirm()
    }

    /// Handles an arrival; returns the end of the trip if the arrival ends the trip at once.
    mutating func arrive(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        defer { if !moment.time.isTrusted { estimatedEnd = log.number } }
        return log.arrive(at: moment, gap: gap)
    }

    /// Starts a trip by command; returns the start of this trip, after the end of an earlier trip if there was one.
    mutating func start(_ report: TripReport, at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        let count = log.count
        defer {
            noteEstimate(of: moment, after: count)
            if !moment.time.isTrusted { estimatedEnd = log.number }
            gapEnd = nil
        }
        return log.start(report, at: moment, isMoving: isMoving)
    }

    /// Ends a trip that was started by command; returns the events to record.
    mutating func stop(at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        let count = log.count
        let events = log.stop(at: moment, isMoving: isMoving)
        if !events.isEmpty { noteEstimate(of: moment, after: count) }
        return events
    }

    /// Ends the trip because a private period begins; returns the end of the trip.
    mutating func cut(at moment: TripMoment) -> [TripEvent] {
        gapEnd = nil
        return log.cut(at: moment)
    }

    /// Begins a trip after a private period, unless a trip is under way; returns its start if the start is confirmed.
    mutating func begin(at moment: TripMoment, isConfirmed: Bool) -> [TripEvent] {
        let count = log.count
        log.beginAnew(at: moment)
        noteEstimate(of: moment, after: count)
        return isConfirmed ? confirm() : []
    }

    /// Returns when the gap of a paused trip ends; nil if no trip is paused.
    ///
    /// After a false start the trip waits for the rest of the gap; after a restart of the program it waits for the whole gap.
    mutating func waitForGap(_ gap: Duration, at now: Instant) -> Instant? {
        guard log.isPaused else { return nil }
        gapEnd = max(now, gapEnd ?? now + gap)
        return gapEnd
    }

    /// Ends a paused trip if its gap is over; returns the end of the trip.
    mutating func endGap(at now: Instant) -> [TripEvent] {
        guard log.isPaused, let gapEnd, now >= gapEnd else { return [] }
        self.gapEnd = nil
        return log.endGap()
    }

    /// Moves the start of a trip to its first fix.
    mutating func moveStart(to place: Coordinate) { log.moveStart(to: place) }

    /// Keeps the report of the trip on the device.
    mutating func keepOnDevice() { log.keepOnDevice() }

    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) { log.add(fix, isAtRest: isAtRest) }

    /// Counts a point of the track.
    mutating func addRecord() { log.addRecord() }

    /// Adjusts the trips to a new odometer value.
    mutating func odometerWasSet(from old: Metres, to new: Metres) { log.odometerWasSet(from: old, to: new) }

    /// Corrects the times that this run has estimated.
    mutating func correct(by span: Duration) {
        if let number = log.number {
            log.correct(by: span, start: estimatedStart == number, end: estimatedEnd == number)
        }
        estimatedStart = nil
        estimatedEnd = nil
    }

    /// Stores that an untrusted clock measured the start of the current trip, if this trip began after the first
    /// `count` trips.
    private mutating func noteEstimate(of moment: TripMoment, after count: Int) {
        if !moment.time.isTrusted, log.count > count { estimatedStart = log.number }
    }
}
