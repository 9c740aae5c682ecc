package import Quantities

/// The caller waits for the first timer, or jumps to it in a replay.
package struct TimerQueue: Sendable {
    private var moments: [(kind: TimerKind, moment: Instant)] = []

    package init() {}

    package mutating func arm(_ kind: TimerKind, at moment: Instant) {
        cancel(kind)
        moments.append((kind, moment))
    }

    package mutating func cancel(_ kind: TimerKind) { moments.removeAll { $0.kind == kind } }

    package func moment(of kind: TimerKind) -> Instant? { moments.first { $0.kind == kind }?.moment }

    package var next: Instant? { moments.min { $0.moment < $1.moment }?.moment }

    /// Removes the first timer that expires at `limit` or earlier; of equal ones, the first that was armed.
    package mutating func pop(through limit: Instant) -> (kind: TimerKind, moment: Instant)? {
        guard let first = next, first <= limit, let index = moments.firstIndex(where: { $0.moment == first }) else {
            return nil
        }
        return moments.remove(at: index)
    }
}

/// Of each kind, at most one timer is armed.
package enum TimerKind: String, Sendable, Hashable, CaseIterable {
    /// A part's condition must be evaluated or recorded.
    case condition
    /// The time to deliver the record of a low battery is over, or a measurement is overdue.
    case holdUploads
    /// A stop by stillness is due.
    case stillness
    case check
    /// A record of the parked vehicle is due.
    case update
    case heartbeat
    /// A search, a wait for the next fix, or a warm-up is over.
    case fixTimeout
    case acquire
    /// Without an accelerometer, a stop is due because no fix has come for long enough.
    case silence
    /// Nothing has confirmed a start in time.
    case falseStart
    case request
    case health
    /// The stop has become too long to belong to the trip.
    case tripGap
    /// The schedule changes, or must be evaluated again.
    case schedule
    /// A private time, or a period by command, begins or ends.
    case privacy
    /// A beacon may have been silent for the whole exit delay.
    case beacons
    /// The first minute of a trip is over, so the scan needs less time.
    case scan
    /// A change or dwell of a region is due without a further fix.
    case regions
    /// The board halts, or the next step of a halt is due.
    case halt
    case light
    case trial
}
