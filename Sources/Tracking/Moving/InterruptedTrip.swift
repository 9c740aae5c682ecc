import Quantities
import TrackingOptions

/// A trip during which the program or its power ended, until a fix or a stop shows whether the vehicle parked meanwhile.
///
/// If the ignition switches the supply, the power ends at each stop, before any rule can confirm it.
struct InterruptedTrip: Sendable {
    /// A vehicle at the first fix at rest was parked there if it is at most this far from the last stored fix.
    ///
    /// The program stores its state with each record; on a straight road, records of most profiles are this far apart.
    private static let nearby = Metres(2000)
    /// The average speed of a vehicle that was slower at both ends of the interruption.
    private static let usualSpeed = MetresPerSecond(15)

    /// The time and the position of the last fix; without one, those of the departure.
    private let last: (time: Timestamp, position: Position)

    /// Continues the trip that the logbook describes; nil if it has neither a fix nor a departure.
    init?(_ logbook: Logbook) {
        let fix = logbook.isLastFixOfTrip ? logbook.lastFix : nil
        guard let time = fix?.time ?? logbook.lastRecorded?.time, let place = fix?.position ?? logbook.parked else {
            return nil
        }
        last = (time, place)
    }

    /// Returns the stop during the interruption that ended at `start`; nil if the vehicle cannot have stood for long enough.
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

    /// Returns a stop without a fix since the start as a stop during the interruption, if that was long enough.
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
