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
        /// The place and the time of the stop that ends it, unless the vehicle goes on before `tripGap` is over.
        var pausedAt: Timestamp?
    }

    /// Trips begun so far.
    package private(set) var count = 0
    private var trip: Trip?

    /// Begins with no trip.
    package init() {}

    /// The number of the trip under way, also while it waits whether a short stop splits it; nothing between trips.
    package var number: Int? { trip?.number }

    /// What its beginning told, or is to tell; nothing between trips.
    package var report: TripReport? { trip?.report }

    /// Whether a trip is under way.
    package var isOnTrip: Bool { trip.map { $0.pausedAt == nil } ?? false }

    /// Whether it waits if the vehicle goes on before `tripGap` is over.
    package var isPaused: Bool { trip.map { $0.pausedAt != nil && !$0.isByHand } ?? false }

    /// The vehicle departs; returns what ends when a stop was too long to belong to the trip after all.
    mutating func depart(
        at time: Timestamp, isTrusted: Bool, from place: Coordinate?, odometer: Metres, gap: Duration
    ) -> [TripReport] {
        guard let trip else {
            begin(at: time, isTrusted: isTrusted, from: place, odometer: odometer)
            return []
        }
        guard let paused = trip.pausedAt else { return [] }
        guard trip.isByHand || time - paused < gap else {
            let ended = end()
            begin(at: time, isTrusted: isTrusted, from: place, odometer: odometer)
            return ended
        }
        self.trip?.pausedAt = nil
        self.trip?.summary.stops += 1
        self.trip?.summary.idle += max(.zero, time - paused)
        self.trip?.lastFix = max(time, paused)
        return []
    }

    /// The start was real: the vehicle has left; returns the report of it, once.
    mutating func confirm() -> [TripReport] {
        guard let trip, !trip.isTold else { return [] }
        self.trip?.isTold = true
        return [trip.report]
    }

    /// The vehicle has arrived; returns the report when that ends the trip at once.
    mutating func arrive(at time: Timestamp, in place: Coordinate?, odometer: Metres, gap: Duration) -> [TripReport] {
        guard let trip else { return [] }
        // A fix that was long on its way may show a rest from before the trip.
        let time = max(time, trip.summary.started)
        settle(at: time)
        self.trip?.summary.end = place
        self.trip?.summary.ended = time
        self.trip?.summary.distance = odometer - trip.odometerAtStart
        self.trip?.pausedAt = time
        return trip.isByHand || gap > .zero ? [] : end()
    }

    /// `tripGap` is over: the stop has split the trip.
    mutating func gapOver() -> [TripReport] {
        guard let trip, trip.pausedAt != nil, !trip.isByHand else { return [] }
        return end()
    }

    /// Somebody starts a trip, wherever the vehicle is; one that is under way becomes theirs.
    mutating func start(
        _ report: TripReport, at time: Timestamp, isTrusted: Bool, from place: Coordinate?, odometer: Metres,
        isMoving: Bool
    ) -> [TripReport] {
        // Whoever starts another one has ended the first.
        let ended = stop(at: time, isTrusted: isTrusted, in: place, odometer: odometer, isMoving: false)
        if trip == nil { begin(at: time, isTrusted: isTrusted, from: place, odometer: odometer) }
        var report = report
        report.number = trip?.number
        trip?.report = report
        trip?.isByHand = true
        trip?.isTold = true
        if !isMoving { trip?.pausedAt = time }
        return ended + [report]
    }

    /// Somebody ends the trip that they started; what the vehicle does then is a trip of its own.
    mutating func stop(
        at time: Timestamp, isTrusted: Bool, in place: Coordinate?, odometer: Metres, isMoving: Bool
    ) -> [TripReport] {
        guard let trip, trip.isByHand else { return [] }
        if let paused = trip.pausedAt {
            self.trip?.summary.idle += max(.zero, time - paused)
        } else {
            settle(at: time)
        }
        self.trip?.summary.end = place
        self.trip?.summary.ended = time
        self.trip?.summary.distance = odometer - trip.odometerAtStart
        let reports = end()
        guard isMoving else { return reports }
        begin(at: time, isTrusted: isTrusted, from: place, odometer: odometer)
        return reports + confirm()
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

    /// The time has become known: what was dated by guess is put right.
    mutating func mend(by span: Duration) {
        guard var mended = trip, !mended.isDated else { return }
        mended.isDated = true
        mended.summary.started = mended.summary.started + span
        mended.lastFix = mended.lastFix.map { $0 + span }
        mended.pausedAt = mended.pausedAt.map { $0 + span }
        trip = mended
    }

    /// Somebody set the odometer: the trip is as long as it was.
    mutating func odometerWasSet(from old: Metres, to new: Metres) {
        guard let trip else { return }
        self.trip?.odometerAtStart = trip.odometerAtStart + (new - old)
    }

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

    private mutating func begin(at time: Timestamp, isTrusted: Bool, from place: Coordinate?, odometer: Metres) {
        count += 1
        trip = Trip(
            number: count, report: TripReport(number: count), summary: TripSummary(start: place, started: time),
            odometerAtStart: odometer, isDated: isTrusted)
    }

    private mutating func end() -> [TripReport] {
        defer { trip = nil }
        guard let trip, trip.isTold else { return [] }
        var report = trip.report
        report.summary = trip.summary
        return [report]
    }
}
