import Quantities

/// The trip log, and what only this run needs: the end of a gap, and which times are estimates.
struct TripTracker: Sendable {
    private(set) var log: TripLog
    /// When the gap ends. A departure does not clear this time, but the confirmation of the start does.
    private var gapEnd: Instant?
    /// The number of a trip whose start an untrusted clock dated in this run.
    private var estimatedStart: Int?
    /// The number of a trip whose end an untrusted clock dated in this run.
    private var estimatedEnd: Int?

    init(restoring log: TripLog) { self.log = log }

    var number: Int? { log.number }

    mutating func depart(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        noteEstimate(of: moment) { $0.depart(at: moment, gap: gap) }
    }

    mutating func confirm() -> [TripEvent] {
        gapEnd = nil
        return log.confirm()
    }

    mutating func arrive(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        defer { if !moment.time.isTrusted { estimatedEnd = log.number } }
        return log.arrive(at: moment, gap: gap)
    }

    mutating func start(_ report: TripReport, at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        let events = noteEstimate(of: moment) { $0.start(report, at: moment, isMoving: isMoving) }
        if !moment.time.isTrusted { estimatedEnd = log.number }
        gapEnd = nil
        return events
    }

    mutating func stop(at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        noteEstimate(of: moment) { $0.stop(at: moment, isMoving: isMoving) }
    }

    mutating func cut(at moment: TripMoment) -> [TripEvent] {
        gapEnd = nil
        return log.cut(at: moment)
    }

    mutating func begin(at moment: TripMoment, isConfirmed: Bool) -> [TripEvent] {
        noteEstimate(of: moment) { $0.beginAnew(at: moment) }
        return isConfirmed ? confirm() : []
    }

    /// Returns the end of the gap: the earlier one after a false start, otherwise a whole gap from now.
    mutating func waitForGap(_ gap: Duration, at now: Instant) -> Instant? {
        guard log.isPaused else { return nil }
        gapEnd = max(now, gapEnd ?? now + gap)
        return gapEnd
    }

    mutating func endGap(at now: Instant) -> [TripEvent] {
        guard log.isPaused, let gapEnd, now >= gapEnd else { return [] }
        self.gapEnd = nil
        return log.endGap()
    }

    mutating func moveStart(to place: Coordinate) { log.moveStart(to: place) }

    mutating func keepOnDevice() { log.keepOnDevice() }

    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) { log.add(fix, isAtRest: isAtRest) }

    mutating func addRecord() { log.addRecord() }

    mutating func odometerWasSet(from old: Metres, to new: Metres) { log.odometerWasSet(from: old, to: new) }

    mutating func correct(by span: Duration) {
        if let number = log.number {
            log.correct(by: span, start: estimatedStart == number, end: estimatedEnd == number)
        }
        estimatedStart = nil
        estimatedEnd = nil
    }

    /// Remembers that an untrusted clock dated the start of the trip, if `change` begins one.
    private mutating func noteEstimate<Result>(of moment: TripMoment, _ change: (inout TripLog) -> Result) -> Result {
        let count = log.count
        defer { if !moment.time.isTrusted, log.count > count { estimatedStart = log.number } }
        return change(&log)
    }
}
