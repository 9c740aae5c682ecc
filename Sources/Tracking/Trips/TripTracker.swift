import Quantities

/// Keeps the log of trips, with what this run knows beside it: when a gap ends, and which times it has estimated.
struct TripTracker: Sendable {
    /// The trips; what survives a restart.
    private(set) var log: TripLog
    /// When a stop has lasted long enough to split the trip; nil while no trip waits for that.
    private var gapEnd: Instant?
    /// The trip whose start this run has dated with an untrusted clock.
    private var estimatedStart: Int?
    /// The trip whose end this run has dated with an untrusted clock.
    private var estimatedEnd: Int?

    init(restoring log: TripLog) { self.log = log }

    /// The number of the trip under way; nil between trips.
    var number: Int? { log.number }

    /// The vehicle departs; returns the trip that ends when the stop before was too long to belong to it.
    mutating func depart(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        let count = log.count
        defer { noteEstimate(of: moment, after: count) }
        return log.depart(at: moment, gap: gap)
    }

    /// The start was real; returns the start of the trip, once.
    mutating func confirm() -> [TripEvent] {
        gapEnd = nil
        return log.confirm()
    }

    /// The vehicle has arrived; returns the end of the trip when it ends at once.
    mutating func arrive(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        defer { if !moment.time.isTrusted { estimatedEnd = log.number } }
        return log.arrive(at: moment, gap: gap)
    }

    /// Somebody starts a trip.
    mutating func start(_ report: TripReport, at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        let count = log.count
        defer {
            noteEstimate(of: moment, after: count)
            if !moment.time.isTrusted { estimatedEnd = log.number }
            gapEnd = nil
        }
        return log.start(report, at: moment, isMoving: isMoving)
    }

    /// Somebody ends the trip that they started.
    mutating func stop(at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        let count = log.count
        let events = log.stop(at: moment, isMoving: isMoving)
        if !events.isEmpty { noteEstimate(of: moment, after: count) }
        return events
    }

    /// Returns when the gap of a paused trip ends; nil if no trip is paused.
    ///
    /// After a false start the trip waits for what is left; after a restart of the program for the whole gap again.
    mutating func waitForGap(_ gap: Duration, at now: Instant) -> Instant? {
        guard log.isPaused else { return nil }
        gapEnd = max(now, gapEnd ?? now + gap)
        return gapEnd
    }

    /// Ends a trip whose gap is over.
    mutating func endGap(at now: Instant) -> [TripEvent] {
        guard log.isPaused, let gapEnd, now >= gapEnd else { return [] }
        self.gapEnd = nil
        return log.endGap()
    }

    /// Takes a fix of the trip in.
    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) { log.add(fix, isAtRest: isAtRest) }

    /// Counts a point of the track.
    mutating func addRecord() { log.addRecord() }

    /// Notes that somebody has set the odometer.
    mutating func odometerWasSet(from old: Metres, to new: Metres) { log.odometerWasSet(from: old, to: new) }

    /// Corrects the times that this run has estimated.
    mutating func correct(by span: Duration) {
        if let number = log.number {
            log.correct(by: span, start: estimatedStart == number, end: estimatedEnd == number)
        }
        estimatedStart = nil
        estimatedEnd = nil
    }

    /// A trip that is new since there were `count` has the date of its moment.
    private mutating func noteEstimate(of moment: TripMoment, after count: Int) {
        if !moment.time.isTrusted, log.count > count { estimatedStart = log.number }
    }
}
