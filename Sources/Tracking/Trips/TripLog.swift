import Quantities

/// Stores the trips.
///
/// A trip begins when the state becomes Moving, and ends when the state becomes Stationary, unless the vehicle drives
/// on within `tripGap`. A command can also start and end a trip.
package struct TripLog: Sendable, Hashable, Codable {
    /// A longer time between two fixes is time without a fix.
    private static let usualGap = Duration.seconds(10)

    private struct Trip: Sendable, Hashable, Codable {
        let number: Int
        var report: TripReport
        var summary: TripSummary
        var odometerAtStart: Metres
        var isByHand = false
        /// Whether a trusted clock measured the start of the trip.
        var isDated: Bool
        /// Whether the log has returned the report of the trip's start; it returns no report of a false start.
        var isTold = false
        var lastFix: Timestamp?
        /// The time of the stop that ends the trip, unless the vehicle drives on before `tripGap` is over.
        var pausedAt: Timestamp?
        /// Vehicle, driver and tag until the last stop; nil before the first stop.
        var labels: TripLabels?
        /// Whether an untrusted clock measured the end of the trip; nil means false.
        var isEndGuessed: Bool?
        /// Whether the trip began or continued in a mode that publishes only requested positions; nil means false.
        var isKept: Bool?

        mutating func correct(by span: Duration, start: Bool, end: Bool) {
            if start, !isDated {
                isDated = true
                summary.started = summary.started + span
                lastFix = lastFix.map { $0 + span }
            }
            if end, isEndGuessed ?? false {
                isEndGuessed = nil
                summary.ended = summary.ended + span
                pausedAt = pausedAt.map { $0 + span }
            }
        }
    }

    /// Number of trips begun so far.
    package private(set) var count = 0
    private var trip: Trip?
    /// The trip as it was at the last stop; nil unless a new start is in doubt.
    private var waiting: Trip?

    package init() {}

    /// The number of the trip under way, also while `tripGap` runs; nil between trips.
    package var number: Int? { trip?.number }

    /// The report of the trip's start, even if the log has not returned this report yet; nil between trips.
    package var report: TripReport? { trip?.report }

    /// Whether a trip is under way; a trip started by command is under way until a command ends it.
    package var isOnTrip: Bool { trip.map { $0.isByHand || $0.pausedAt == nil } ?? false }

    /// Whether the trip waits for `tripGap` to end.
    package var isPaused: Bool { trip.map { $0.pausedAt != nil && !$0.isByHand } ?? false }

    /// Whether a trip that was started by command with this external ID is under way.
    func goesOn(as externalID: String) -> Bool {
        trip.map { $0.isByHand && $0.report.externalID == externalID } ?? false
    }

    /// Handles a departure; returns the end of the last trip if the stop was too long to belong to that trip.
    mutating func depart(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        guard let trip else {
            begin(at: moment)
            return []
        }
        guard let paused = trip.pausedAt else { return [] }
        guard trip.isByHand || moment.time.time - paused < gap else {
            let ended = end()
            begin(at: moment)
            return ended
        }
        waiting = trip
        self.trip?.pausedAt = nil
        self.trip?.summary.stops += 1
        self.trip?.summary.idle += max(.zero, moment.time.time - paused)
        self.trip?.lastFix = max(moment.time.time, paused)
        return []
    }

    /// Confirms that the start was real; the first call for a trip returns the report of the start.
    mutating func confirm() -> [TripEvent] {
        waiting = nil
        guard let trip, !trip.isTold else { return [] }
        self.trip?.isTold = true
        return [TripEvent(trip.report)]
    }

    /// Keeps the report of the trip on the device, because its summary contains the position of the start, which nobody
    /// requested.
    mutating func keepOnDevice() { trip?.isKept = true }

    /// Handles an arrival; returns the report of the trip if the arrival ends the trip at once.
    mutating func arrive(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        // If no evidence has confirmed the last start, the vehicle has not left its previous stop.
        guard !takeBack(), let trip else { return [] }
        var moment = moment
        // The time of the rest may be before the trip, because a fix may arrive late.
        moment.time.time = max(moment.time.time, trip.summary.started)
        settle(at: moment.time.time)
        close(at: moment)
        self.trip?.pausedAt = moment.time.time
        return trip.isTold && (trip.isByHand || gap > .zero) ? [] : end()
    }

    /// Ends a paused trip, because `tripGap` is over; returns the end of the trip.
    mutating func endGap() -> [TripEvent] {
        guard isPaused else { return [] }
        return end()
    }

    /// Starts a trip by command, also while the vehicle is parked; an automatic trip under way becomes this trip.
    ///
    /// The function returns the start of this trip, after the end of an earlier trip if there was one.
    mutating func start(_ report: TripReport, at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        takeBack()
        // A new trip ends an earlier trip that a command started, and a trip that only waits for the end of `tripGap`.
        let ended = stop(at: moment, isMoving: false) + endGap()
        if trip == nil { begin(at: moment) }
        var report = report
        report.number = trip?.number
        trip?.report = report
        trip?.isByHand = true
        trip?.isTold = true
        if !isMoving {
            close(at: moment)
            trip?.pausedAt = moment.time.time
        }
        return ended + [TripEvent(report)]
    }

    /// Ends a trip that was started by command; if the vehicle is moving, a new trip begins.
    ///
    /// The function returns the end of the trip, and the start of the new trip if that start is not in doubt.
    mutating func stop(at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        guard trip?.isByHand ?? false else { return [] }
        let isDoubtful = takeBack()
        if let paused = trip?.pausedAt {
            trip?.summary.idle += max(.zero, moment.time.time - paused)
        } else {
            settle(at: moment.time.time)
        }
        close(at: moment)
        let ended = end()
        guard isMoving else { return ended }
        begin(at: moment)
        return isDoubtful ? ended : ended + confirm()
    }

    /// Ends the trip because a private period begins, also a trip that a command started or that waits for the end of `tripGap`.
    ///
    /// The function returns the end of the trip; it returns an empty list if the start of the trip is in doubt.
    mutating func cut(at moment: TripMoment) -> [TripEvent] {
        takeBack()
        let ended = stop(at: moment, isMoving: false) + endGap()
        guard let trip else { return ended }
        var moment = moment
        moment.time.time = max(moment.time.time, trip.summary.started)
        settle(at: moment.time.time)
        close(at: moment)
        return ended + end()
    }

    /// Moves the start of a trip to its first fix; a trip that goes on after a stop keeps its start.
    mutating func moveStart(to place: Coordinate) {
        if trip?.lastFix == nil { trip?.summary.start = place }
    }

    /// Begins a trip unless a trip is under way.
    mutating func beginAnew(at moment: TripMoment) {
        if trip == nil { begin(at: moment) }
    }

    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        guard let trip else { return }
        let last = trip.lastFix ?? trip.summary.started
        let elapsed = max(.zero, fix.time - last)
        self.trip?.lastFix = max(last, fix.time)
        if elapsed > Self.usualGap {
            self.trip?.summary.withoutFix += elapsed
        } else if isAtRest {
            self.trip?.summary.idle += elapsed
        } else {
            self.trip?.summary.moving += elapsed
        }
        if let speed = fix.position.speed, fix.provesMovement {
            self.trip?.summary.topSpeed = max(trip.summary.topSpeed ?? .zero, speed)
        }
    }

    /// Adds `span` to the times that this run of the program took from an untrusted clock, because the time is known now.
    mutating func correct(by span: Duration, start: Bool = true, end: Bool = true) {
        trip?.correct(by: span, start: start, end: end)
        waiting?.correct(by: span, start: start, end: end)
    }

    /// Adjusts the trip to a new odometer value; the distance of the trip does not change.
    mutating func odometerWasSet(from old: Metres, to new: Metres) {
        let shift = new - old
        if let start = trip?.odometerAtStart { trip?.odometerAtStart = start + shift }
        if let start = waiting?.odometerAtStart { waiting?.odometerAtStart = start + shift }
    }

    /// Adds the number of trips that began while this log was not available.
    mutating func countOn(by trips: Int) { count += trips }

    /// Counts a recorded track point.
    mutating func addRecord() { trip?.summary.records += 1 }

    /// Adjusts the figures to the end of the trip.
    ///
    /// The function removes time that was counted after the end. It counts a longer time between the last fix and the
    /// end as time without a fix.
    private mutating func settle(at time: Timestamp) {
        guard let trip else { return }
        let missing = time - (trip.lastFix ?? trip.summary.started)
        if missing > Self.usualGap { self.trip?.summary.withoutFix += missing }
        var surplus = max(.zero, .zero - missing)
        for part in [\TripSummary.idle, \.moving, \.withoutFix] {
            let taken = min(surplus, trip.summary[keyPath: part])
            self.trip?.summary[keyPath: part] -= taken
            surplus -= taken
        }
    }

    private mutating func begin(at moment: TripMoment) {
        count += 1
        trip = Trip(
            number: count, report: TripReport(number: count),
            summary: TripSummary(start: moment.place, started: moment.time.time), odometerAtStart: moment.odometer,
            isDated: moment.time.isTrusted)
    }

    /// Discards a doubtful departure and restores the trip as it was at the last stop; returns whether there was such a
    /// departure.
    @discardableResult
    private mutating func takeBack() -> Bool {
        guard let waiting else { return false }
        trip = waiting
        self.waiting = nil
        return true
    }

    /// Sets the end of the trip to this moment, with its place, distance and labels.
    private mutating func close(at moment: TripMoment) {
        guard let trip else { return }
        self.trip?.summary.end = moment.place
        self.trip?.summary.ended = moment.time.time
        self.trip?.summary.distance = moment.odometer - trip.odometerAtStart
        self.trip?.labels = moment.labels.completed(by: trip.labels)
        self.trip?.isEndGuessed = moment.time.isTrusted ? nil : true
    }

    private mutating func end() -> [TripEvent] {
        defer { trip = nil }
        guard let trip, trip.isTold else { return [] }
        var report = trip.report
        report.summary = trip.summary
        let end = TripEvent.End(
            labels: trip.labels ?? TripLabels(), isDated: !(trip.isEndGuessed ?? false),
            isParked: trip.pausedAt != nil, isKept: trip.isKept ?? false)
        return [TripEvent(report, end)]
    }
}
