import Quantities
import TrackingOptions

/// A trip during which the program or its power ended. A fix or a stop then shows whether the vehicle parked
/// meanwhile. If the ignition switches the supply, the supply ends at each stop, before any rule can confirm the stop.
struct InterruptedTrip: Sendable {
    /// The longest distance from the last stored fix to the first one at rest. A fix is stored with each record, so this is at
    /// most the distance between two records; with most profiles that is shorter even on a straight road.
    private static let nearby = Metres(2000)
    /// The average speed that is assumed if the vehicle was slower at both ends.
    private static let usualSpeed = MetresPerSecond(15)

    /// Time and position of the last fix, or of the departure if there was no fix.
    private let last: (time: Timestamp, position: Position)

    /// Nil if there is neither a fix nor a departure.
    init?(_ logbook: Logbook) {
        let fix = logbook.isLastFixOfTrip ? logbook.lastFix : nil
        guard let time = fix?.time ?? logbook.lastRecorded?.time, let place = fix?.position ?? logbook.parked else {
            return nil
        }
        last = (time, place)
    }

    /// The stop in the interruption until `start`; nil if the vehicle cannot have stood for long enough.
    func stop(before fix: AcceptedFix, startedAt start: Instant, _ turn: Turn) -> Arrival? {
        let errors = last.position.error + fix.position.error
        let way = last.position.coordinate.distance(to: fix.coordinate)
        let speed = [last.position.speed, fix.position.speed, Self.usualSpeed].compactMap { $0 }.max()?.value ?? 0
        let driven = Duration(inSeconds: max(.zero, way - errors).value / speed)
        let stood = min(interruption(until: start, turn), fix.time - last.time - driven)
        guard isStop(stood, turn) else { return nil }
        var arrival = Arrival(reason: "parked while the tracker was off", restedSince: last.time)
        let isThere = !fix.provesMovement && way <= Self.nearby
        arrival.position = isThere ? fix.position : last.position
        arrival.foundBy = fix
        return arrival
    }

    /// Dates a stop without a fix since the start: it happened during the interruption if that was long enough.
    func dated(_ arrival: Arrival, startedAt start: Instant, _ turn: Turn) -> Arrival {
        guard turn.time.time(at: start).isTrusted, isStop(interruption(until: start, turn), turn) else {
            return arrival
        }
        var arrival = arrival
        (arrival.restedSince, arrival.position) = (last.time, last.position)
        return arrival
    }

    private func interruption(until start: Instant, _ turn: Turn) -> Duration {
        turn.time.time(at: start).time - last.time
    }

    private func isStop(_ span: Duration, _ turn: Turn) -> Bool {
        span > turn.options.stopDetectionDelay + turn.options.stopTimeout
    }
}
