package import Quantities

/// The armed timers of the engine; the caller waits until the first of them expires, or jumps to that moment in a replay.
package struct TimerQueue: Sendable {
    private var moments: [(kind: TimerKind, moment: Instant)] = []

    package init() {}

    /// Arms a timer; replaces the timer of the same kind.
    package mutating func arm(_ kind: TimerKind, at moment: Instant) {
        cancel(kind)
        moments.append((kind, moment))
    }

    package mutating func cancel(_ kind: TimerKind) { moments.removeAll { $0.kind == kind } }

    /// Returns when the timer of this kind expires; nil if it is not armed.
    package func moment(of kind: TimerKind) -> Instant? { moments.first { $0.kind == kind }?.moment }

    /// When the first timer expires; nil if none is armed.
    package var next: Instant? { moments.map(\.moment).min() }

    /// Removes and returns the timer that expires first, if it expires at `limit` or earlier.
    ///
    /// If several timers expire at the same moment, the function returns the timer that was armed first.
    package mutating func pop(through limit: Instant) -> (kind: TimerKind, moment: Instant)? {
        guard let first = next, first <= limit, let index = moments.firstIndex(where: { $0.moment == first }) else {
            return nil
        }
        return moments.remove(at: index)
    }
}

/// The timers of the engine; each kind is armed at most once at a time.
package enum TimerKind: String, Sendable, Hashable, CaseIterable {
    /// The engine must evaluate or record the condition of a part.
    case condition
    /// The time to deliver the record of a low battery is over, or trackerd must check whether the battery is still measured.
    case holdUploads
    /// Enough time without motion has passed to confirm a stop.
    case stillness
    /// While stationary: a position check is due.
    case check
    /// While stationary: a record is due.
    case update
    /// While stationary: a heartbeat is due.
    case heartbeat
    /// A search for a fix, the wait for the next fix, or a warm-up of the receiver has reached its longest time.
    case fixTimeout
    /// The time for which the receiver should be off is over.
    case acquire
    /// While moving without an accelerometer: enough time without a fix has passed to confirm a stop.
    case silence
    /// No evidence has confirmed a start in time.
    case falseStart
    /// A location request has reached its deadline.
    case request
    /// A health check of the receiver is due.
    case health
    /// A stop is too long to belong to the trip.
    case tripGap
    /// The schedule opens or closes, or must be evaluated again.
    case schedule
    /// A private time, or a private period by command, begins or ends.
    case privacy
    /// A beacon may have been silent for the whole exit delay.
    case beacons
    /// The first minute of a trip is over; reduce the scan duty.
    case scan
    /// A change or dwell of a region is due without a further fix.
    case regions
    /// The vehicle has been parked long enough to halt the board, or the next step of a halt is due.
    case halt
    /// A blink of the indicator light ends.
    case light
    /// The trial time for the options of a server is over.
    case trial
}
