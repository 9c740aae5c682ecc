import Quantities
import TrackingOptions

extension Engine {
    /// Writes the anchor at the parked place, so that the track has no gap at its start, and only then wakes the receiver.
    mutating func depart(_ departure: Departure, at now: Instant) -> [Effect] {
        let (time, isTrusted) = departureTime(departure, at: now)
        // On the very first start no parked place is known; then the trip begins where the vehicle is.
        let start = state.parked ?? departure.position
        let moment = tripMoment(time, isTrusted: isTrusted, at: start?.coordinate)
        let count = state.trips.count
        let ended = state.trips.depart(at: moment, gap: options.tripGap)
        noteGuess(of: moment, after: count)
        state.endingStay = options.useVisits ? state.parkedSince.map { Visit(arrived: $0, departed: time) } : nil
        state.isMoving = true
        // A fix that showed the departure is the first of the trip.
        state.isLastFixOfTrip = departure.position != nil
        movingSince = now
        listenForVehicle(at: now)
        if let start { state.lastRecorded = .init(coordinate: start.coordinate, time: time) }
        var moving = Moving(
            options, hasMotionSensor: hasMotionSensor, parked: state.parked, isDoubtful: departure.cause == .motion,
            isCold: state.lastFix == nil, at: now)
        let steps = moving.enter(at: now)
        phase = .moving(moving)
        var effects: [Effect] = [
            .cancel(.check), .cancel(.update), .cancel(.heartbeat), .cancel(.fixTimeout), .cancel(.tripGap),
        ]
        effects += ended.map { told($0, at: now) }
        effects.append(.record(record(.motionchange, at: start, time: time, isTrusted: isTrusted)))
        return effects + [.state(isMoving: true), .decided(Decision(.start, departure.reason))]
            + carryOut(steps, at: now) + rescan(at: now) + waitToHalt(at: now)
    }

    /// The start is real: the trip begins, and the stay before it is over.
    mutating func confirmTrip(at now: Instant) -> [Effect] {
        gapOver = nil
        var effects = state.trips.confirm().map { told($0, at: now) }
        if let stay = state.endingStay {
            effects.append(
                .record(
                    record(
                        .visit(stay), at: state.parked, time: stay.departed ?? clock.time(at: now).time,
                        isTrusted: clock.time(at: now).isTrusted)))
            state.endingStay = nil
        }
        return effects
    }

    private func departureTime(_ departure: Departure, at now: Instant) -> (time: Timestamp, isTrusted: Bool) {
        if let seen = departure.parkedUntil { return (seen, true) }
        return clock.time(at: departure.began ?? now)
    }
}
