package import Quantities

/// The caller waits for the first, or jumps to it in a replay.
package struct TimerQueue: Sendable {
    private var moments: [(kind: TimerKind, moment: Instant)] = []

    package init() {}

    /// Replaces the timer of the same kind.
    package mutating func arm(_ kind: TimerKind, at moment: Instant) {
        cancel(kind)
        moments.append((kind, moment))
    }

    package mutating func cancel(_ kind: TimerKind) { moments.removeAll { $0.kind == kind } }

    package func moment(of kind: TimerKind) -> Instant? { moments.first { $0.kind == kind }?.moment }

    package var next: Instant? { moments.min { $0.moment < $1.moment }?.moment }

    /// The first to expire, at `limit` at the latest; of equal ones, the first that was armed.
    package mutating func pop(through limit: Instant) -> (kind: TimerKind, moment: Instant)? {
        guard let first = next, first <= limit, let index = moments.firstIndex(where: { $0.moment == first }) else {
            return nil
        }
        return moments.remove(at: index)
    }
}

/// Each is armed at most once at a time.
package enum TimerKind: String, Sendable, Hashable, CaseIterable {
    /// A part's condition is to be evaluated or recorded.
    case condition
    /// The time to deliver the record of a low battery is over, or a missing measurement is due.
    case holdUploads
    /// Confirms a stop.
    case stillness
    /// A position check of the parked vehicle.
    case check
    /// A record of the parked vehicle.
    case update
    case heartbeat
    /// Of a search, a wait for the next fix, or a warm-up.
    case fixTimeout
    /// The receiver's rest is over.
    case acquire
    /// Without an accelerometer: no fix for long enough to confirm a stop.
    case silence
    /// Nothing has confirmed a start in time.
    case falseStart
    case request
    case health
    /// A stop is too long for the trip.
    case tripGap
    /// The schedule changes, or must be evaluated again.
    case schedule
    /// A private time, or a period by command, begins or ends.
    case privacy
    /// A beacon may have been silent for the whole exit delay.
    case beacons
    /// The first minute of a trip is over: scan less.
    case scan
    /// A change or dwell is due without a further fix.
    case regions
    /// The board halts, or the next step of a halt is due.
    case halt
    case light
    /// Of a server's options.
    case trial
}
