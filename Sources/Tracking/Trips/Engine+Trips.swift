import Quantities
import TrackingOptions

extension Engine {
    /// Somebody starts a trip, and the vehicle departs; that it then stands does not end the trip.
    ///
    /// Who asks again for the one that goes on has not heard the answer: nothing happens twice.
    mutating func startTrip(_ report: TripReport, at now: Instant) -> [Effect] {
        if let id = report.externalID, state.trips.goesOn(as: id) {
            return [.decided(Decision(.request, "trip `\(id)` goes on already"))]
        }
        let moment = tripMoment(at: now)
        let count = state.trips.count
        let news = state.trips.start(report, at: moment, isMoving: state.isMoving || !isSuspended)
        noteGuess(of: moment, after: count)
        if !moment.isTrusted { guessedEnd = state.trips.number }
        gapOver = nil
        return [.cancel(.tripGap)] + news.map { told($0, at: now) } + forward(.move, at: now)
    }

    /// Somebody ends the trip that they started.
    mutating func endTrip(at now: Instant) -> [Effect] {
        let moment = tripMoment(at: now)
        let count = state.trips.count
        let news = state.trips.stop(at: moment, isMoving: state.isMoving)
        guard !news.isEmpty else { return [] }
        noteGuess(of: moment, after: count)
        return news.map { told($0, at: now) }
    }

    /// The trip waits whether the vehicle goes on soon; what a restart forgot is waited for anew.
    mutating func waitForGap(at now: Instant) -> [Effect] {
        guard state.trips.isPaused else { return [] }
        // After a false start it waits for what is left.
        let moment = max(now, gapOver ?? now + options.tripGap)
        gapOver = moment
        return [.arm(.tripGap, at: moment)]
    }

    /// The stop has lasted: it splits the trip.
    mutating func endGap(at now: Instant) -> [Effect] {
        guard state.trips.isPaused, let gapOver, now >= gapOver else { return [] }
        self.gapOver = nil
        return state.trips.gapOver().map { told($0, at: now) }
    }

    /// The record of it; an end is dated when it was, and says whose trip it was, however late it is told.
    func told(_ news: TripNews, at now: Instant) -> Effect {
        let content = Record.Content.trip(news.report)
        guard let end = news.end, let summary = news.report.summary else { return .record(record(content, at: now)) }
        let place = end.isParked ? state.parked : whereabouts
        var written = record(content, at: place, time: summary.ended, isTrusted: end.isDated)
        if end.isParked { written.isMoving = false }
        written.vehicle = end.labels.vehicle
        written.driver = end.labels.driver
        written.tag = end.labels.tag
        return .record(written)
    }

    /// A moment at which a trip may begin or end, as things stand.
    func tripMoment(_ time: Timestamp, isTrusted: Bool, at place: Coordinate?) -> TripMoment {
        TripMoment(
            time: time, isTrusted: isTrusted, place: place, odometer: state.odometer.distance,
            labels: TripLabels(vehicle: state.names.vehicle, driver: state.names.driver, tag: tag))
    }

    /// A trip that is new since there were `count` was dated as well as its moment.
    mutating func noteGuess(of moment: TripMoment, after count: Int) {
        if !moment.isTrusted, state.trips.count > count { guessedStart = state.trips.number }
    }

    private func tripMoment(at now: Instant) -> TripMoment {
        let (time, isTrusted) = clock.time(at: now)
        return tripMoment(time, isTrusted: isTrusted, at: whereabouts?.coordinate)
    }
}
