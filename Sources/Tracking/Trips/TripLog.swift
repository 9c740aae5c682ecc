import Quantities

/// A trip lasts from a departure to a stop of at least `tripGap`, or from one command to another.
package struct TripLog: Sendable, Hashable, Codable {
    /// Longer times between two fixes count as time without a fix.
    private static let usualGap = Duration.seconds(10)

    private struct Trip: Sendable, Hashable, Codable {
        let number: Int
        var report: TripReport
        var summary: TripSummary
        var odometerAtStart: Metres
        var isByHand = false
        /// True if a trusted clock dated the start.
        var isDated: Bool
        /// True if the start was reported, which a false start never is.
        var isTold = false
        var lastFix: Timestamp?
        /// The stop that ends the trip unless the vehicle drives on within `tripGap`.
        var pausedAt: Timestamp?
        /// The names and the tag up to the last stop.
        var labels: TripLabels?
        /// True if an untrusted clock dated the end; nil means false.
        var isEndGuessed: Bool?
        /// True if the trip began or went on in a mode that publishes only requested positions; nil means false.
        var isKept: Bool?

        mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
            let last = lastFix ?? summary.started
            let elapsed = max(.zero, fix.time - last)
            lastFix = max(last, fix.time)
            if elapsed > TripLog.usualGap {
                summary.withoutFix += elapsed
            } else if isAtRest {
                summary.idle += elapsed
            } else {
                summary.moving += elapsed
            }
            if let speed = fix.position.speed, fix.provesMovement {
                summary.topSpeed = max(summary.topSpeed ?? .zero, speed)
            }
        }

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

    package private(set) var count = 0
    private var trip: Trip?
    /// The trip as it was at the last stop; nil unless a new start is in doubt.
    private var waiting: Trip?

    /// The number stays while `tripGap` runs.
    package var number: Int? { trip?.number }

    /// The report of the start, even if it is not recorded yet.
    package var report: TripReport? { trip?.report }

    /// Whether somebody has declared the trip by command; it lasts until a command ends it.
    package var isDeclared: Bool { trip?.isByHand ?? false }

    package var isPaused: Bool { trip.map { $0.pausedAt != nil && !$0.isByHand } ?? false }

    /// Returns whether the trip began by a command with this external ID.
    func goesOn(as externalID: String) -> Bool {
        trip.map { $0.isByHand && $0.report.externalID == externalID } ?? false
    }

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

    mutating func confirm() -> [TripEvent] {
        waiting = nil
        guard let trip, !trip.isTold else { return [] }
        self.trip?.isTold = true
        return [TripEvent(report: trip.report)]
    }

    /// No server receives the end of the trip: its summary has the position of the start, which nobody requested.
    mutating func keepOnDevice() { trip?.isKept = true }

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

    mutating func endGap() -> [TripEvent] {
        guard isPaused else { return [] }
        return end()
    }

    /// Starts a trip by command, also while parked; an automatic trip becomes this one. Returns the end of an earlier
    /// trip, if there is one, and then the start.
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
        return ended + [TripEvent(report: report)]
    }

    /// Ends a trip that a command has started. In a moving vehicle a new trip begins; its start is returned unless the
    /// start is in doubt.
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

    /// Ends any trip for a private period, also one by command or a paused one. Empty if no start was reported.
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

    /// Moves the start to the first fix of the trip; a trip that goes on after a stop keeps its start.
    mutating func moveStart(to place: Coordinate) {
        if trip?.lastFix == nil { trip?.summary.start = place }
    }

    mutating func beginAnew(at moment: TripMoment) {
        if trip == nil { begin(at: moment) }
    }

    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        trip?.add(fix, isAtRest: isAtRest)
    }

    /// Corrects the times that this run took from an untrusted clock.
    mutating func correct(by span: Duration, start: Bool = true, end: Bool = true) {
        trip?.correct(by: span, start: start, end: end)
        waiting?.correct(by: span, start: start, end: end)
    }

    /// The distance of the trip does not change.
    mutating func odometerWasSet(from old: Metres, to new: Metres) {
        let shift = new - old
        if let start = trip?.odometerAtStart { trip?.odometerAtStart = start + shift }
        if let start = waiting?.odometerAtStart { waiting?.odometerAtStart = start + shift }
    }

    /// Adds the trips that began while this log was not available.
    mutating func countOn(by trips: Int) { count += trips }

    mutating func addRecord() { trip?.summary.records += 1 }

    /// Removes the time after the end; more than `usualGap` between the last fix and the end counts as time without a fix.
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

    /// Makes the trip what it was at the last stop; false if there was no doubtful departure since.
    @discardableResult
    private mutating func takeBack() -> Bool {
        guard let waiting else { return false }
        trip = waiting
        self.waiting = nil
        return true
    }

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
        return [TripEvent(report: report, end: end)]
    }
}

struct TripMoment: Sendable, Hashable {
    var time: UTCTime
    var place: Coordinate?
    var odometer: Metres
    var labels = TripLabels()
}

struct TripLabels: Sendable, Hashable, Codable {
    var vehicle: String?
    var driver: String?
    var tag: String?

    /// Takes missing names from an earlier part of the trip; the tag stays.
    func completed(by earlier: TripLabels?) -> TripLabels {
        TripLabels(vehicle: vehicle ?? earlier?.vehicle, driver: driver ?? earlier?.driver, tag: tag)
    }
}

struct TripEvent: Sendable, Hashable {
    /// The end may be written long after the stop.
    struct End: Sendable, Hashable {
        var labels: TripLabels
        /// True if a trusted clock dated the end.
        var isDated: Bool
        var isParked: Bool
        /// If true, no server receives the record.
        var isKept = false
    }

    var report: TripReport
    /// Nil for the start of a trip.
    var end: End?
}
