import Quantities

/// Keeps the trips: a trip begins with Moving and ends with Stationary, or with the commands of whoever started it.
package struct TripLog: Sendable, Hashable, Codable {
    /// Longer than this between two fixes is time without a fix.
    private static let usualGap = Duration.seconds(10)

    private struct Trip: Sendable, Hashable, Codable {
        let number: Int
        var report: TripReport
        var summary: TripSummary
        var odometerAtStart: Metres
        var isByHand = false
        /// Whether its times are those of a clock that was to be trusted.
        var isDated: Bool
        /// Whether its beginning has been told: a start that turns out false never is.
        var isTold = false
        var lastFix: Timestamp?
        /// The time of the stop that ends it, unless the vehicle goes on before `tripGap` is over.
        var pausedAt: Timestamp?
        /// Whose it was until that stop; nothing before the first.
        var labels: TripLabels?
        /// Whether its end was dated by a clock that was not to be trusted; nothing is no.
        var isEndGuessed: Bool?

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

    /// Trips begun so far.
    package private(set) var count = 0
    private var trip: Trip?
    /// The trip as it was at the stop, while it is in doubt whether the vehicle has gone on.
    private var waiting: Trip?

    /// Begins with no trip.
    package init() {}

    /// The number of the trip under way, also while it waits whether a short stop splits it; nothing between trips.
    package var number: Int? { trip?.number }

    /// What its beginning told, or is to tell; nothing between trips.
    package var report: TripReport? { trip?.report }

    /// Whether a trip is under way, which one that somebody has started is until they end it.
    package var isOnTrip: Bool { trip.map { $0.isByHand || $0.pausedAt == nil } ?? false }

    /// Whether it waits if the vehicle goes on before `tripGap` is over.
    package var isPaused: Bool { trip.map { $0.pausedAt != nil && !$0.isByHand } ?? false }

    /// Whether somebody has started a trip under that external id, and not ended it.
    func goesOn(as externalID: String) -> Bool {
        trip.map { $0.isByHand && $0.report.externalID == externalID } ?? false
    }

    /// The vehicle departs; returns what ends when a stop was too long to belong to the trip after all.
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

    /// The start was real: the vehicle has left; returns the report of it, once.
    mutating func confirm() -> [TripEvent] {
        waiting = nil
        guard let trip, !trip.isTold else { return [] }
        self.trip?.isTold = true
        return [TripEvent(trip.report)]
    }

    /// The vehicle has arrived; returns the report when that ends the trip at once.
    mutating func arrive(at moment: TripMoment, gap: Duration) -> [TripEvent] {
        // Whose start was never confirmed has not left the stop before.
        guard !takeBack(), let trip else { return [] }
        var moment = moment
        // A fix that was long on its way may show a rest from before the trip.
        moment.time.time = max(moment.time.time, trip.summary.started)
        settle(at: moment.time.time)
        close(at: moment)
        self.trip?.pausedAt = moment.time.time
        return trip.isTold && (trip.isByHand || gap > .zero) ? [] : end()
    }

    /// `tripGap` is over: the stop has split the trip.
    mutating func endGap() -> [TripEvent] {
        guard isPaused else { return [] }
        return end()
    }

    /// Somebody starts a trip, of a vehicle that moves now or stands; one that is under way becomes theirs.
    mutating func start(_ report: TripReport, at moment: TripMoment, isMoving: Bool) -> [TripEvent] {
        takeBack()
        // Whoever starts another one has ended the first; one that only waits for its gap is over too.
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

    /// Somebody ends the trip that they started; what the vehicle does then is a trip of its own.
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

    /// A fix on the way.
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

    /// The time has become known: what was dated by guess is put right, where this run has guessed it.
    mutating func correct(by span: Duration, start: Bool = true, end: Bool = true) {
        trip?.correct(by: span, start: start, end: end)
        waiting?.correct(by: span, start: start, end: end)
    }

    /// Somebody set the odometer: the trip is as long as it was.
    mutating func odometerWasSet(from old: Metres, to new: Metres) {
        let shift = new - old
        if let start = trip?.odometerAtStart { trip?.odometerAtStart = start + shift }
        if let start = waiting?.odometerAtStart { waiting?.odometerAtStart = start + shift }
    }

    /// Counts trips that were begun while this log was not at hand.
    mutating func countOn(by trips: Int) { count += trips }

    /// A point of the track was recorded.
    mutating func addRecord() { trip?.summary.records += 1 }

    /// It has ended at that moment: what was counted after it does not belong to it, and what is missing was without a fix.
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

    /// Whether a departure was in doubt; then the trip waits as it did before.
    @discardableResult
    private mutating func takeBack() -> Bool {
        guard let waiting else { return false }
        trip = waiting
        self.waiting = nil
        return true
    }

    /// This is its end, as far as anybody knows.
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
            isParked: trip.pausedAt != nil)
        return [TripEvent(report, end)]
    }
}
