import Quantities
import TrackingOptions

extension Engine {
    /// Writes the last fixes and the place of arrival, and only then switches the receiver off.
    mutating func arrive(_ arrival: Arrival, at now: Instant) -> [Effect] {
        let points = arrival.isFalseStart ? [] : lastPoints(of: arrival).flatMap { keep($0) }
        state.isMoving = false
        let (time, isTrusted) = arrivalTime(arrival, at: now)
        let stayed = arrival.isFalseStart ? state.parkedSince : nil
        state.endingStay = nil
        let here = arrivalPlace(arrival, restedAt: time, at: now)
        park(at: here, since: stayed ?? time, isTrusted: isTrusted)
        if let here { state.lastRecorded = .init(coordinate: here.coordinate, time: time) }
        let stop = record(.motionchange, at: state.parked, time: time, isTrusted: isTrusted)
        let isStay = options.useVisits && !arrival.isFalseStart
        let visit =
            isStay ? record(.visit(Visit(arrived: time)), at: state.parked, time: time, isTrusted: isTrusted) : nil
        let news = state.trips.arrive(
            at: tripMoment(time, isTrusted: isTrusted, at: state.parked?.coordinate), gap: options.tripGap)
        if !isTrusted { guessedEnd = state.trips.number }
        let records: [Effect] = [stop, visit].compactMap { $0 }.map { .record($0) } + news.map { told($0, at: now) }
        movingSince = nil
        forgetVehicle(at: now)
        let stationary = Stationary(
            after: arrival, at: state.parked, options, hasMotionSensor: hasMotionSensor)
        let steps = stationary.enter(at: now)
        phase = .stationary(stationary)
        let changed: [Effect] = [.state(isMoving: false), .decided(Decision(.stop, arrival.reason))]
        return Self.timersOfMoving + points + records + changed + waitForGap(at: now)
            + carryOut([.receiver(isOn: false)] + steps, at: now) + rescan(at: now)
            + judgeTow(.parked(at: state.parked), at: now) + waitToHalt(at: now)
    }

    private static let timersOfMoving: [Effect] = [
        .cancel(.stillness), .cancel(.silence), .cancel(.falseStart), .cancel(.acquire), .cancel(.fixTimeout),
    ]

    /// The last fix before the receiver goes off, and some of the rest, unless they are recorded already.
    private func lastPoints(of arrival: Arrival) -> [AcceptedFix] {
        var points: [AcceptedFix] = []
        var last = state.lastRecorded?.time
        for fix in arrival.points + [arrival.lastFix].compactMap({ $0 }) where last.map({ fix.time > $0 }) ?? true {
            points.append(fix)
            last = fix.time
        }
        return points.count > options.arrivalPoints ? points.suffix(max(1, options.arrivalPoints)) : points
    }

    private func arrivalTime(_ arrival: Arrival, at now: Instant) -> (time: Timestamp, isTrusted: Bool) {
        if let rested = arrival.restedSince { return (rested, true) }
        return clock.time(at: arrival.stillSince ?? now)
    }
}
