package import Quantities

/// The engine's timers, ordered by when they run out; whoever runs the engine waits for the first, or jumps to it.
package struct TimerQueue: Sendable {
    private var moments: [(kind: TimerKind, moment: Instant)] = []

    /// Begins with no timer armed.
    package init() {}

    /// Arms a timer; replaces the one of that kind.
    package mutating func arm(_ kind: TimerKind, at moment: Instant) {
        cancel(kind)
        moments.append((kind, moment))
    }

    /// Forgets a timer.
    package mutating func cancel(_ kind: TimerKind) { moments.removeAll { $0.kind == kind } }

    /// When the timer of this kind runs out; nothing when it is not armed.
    package func moment(of kind: TimerKind) -> Instant? { moments.first { $0.kind == kind }?.moment }

    /// When the first timer runs out.
    package var next: Instant? { moments.map(\.moment).min() }

    /// Takes the timer that runs out first, at `limit` at the latest; of several at one moment the one armed first.
    package mutating func pop(through limit: Instant) -> (kind: TimerKind, moment: Instant)? {
        guard let first = next, first <= limit, let index = moments.firstIndex(where: { $0.moment == first }) else {
            return nil
        }
        return moments.remove(at: index)
    }
}

/// The timers that the engine uses, each armed at most once at a time.
package enum TimerKind: String, Sendable, Hashable, CaseIterable {
    /// Time without motion long enough to confirm a stop.
    case stillness
    /// While stationary without an accelerometer: time to look where the vehicle is.
    case check
    /// While stationary: time for a record.
    case update
    /// While stationary: time for a sign of life.
    case heartbeat
    /// The receiver has searched long enough.
    case fixTimeout
    /// The receiver has rested long enough.
    case acquire
    /// While moving without an accelerometer: no fix for very long.
    case silence
    /// A start was not followed by anything.
    case falseStart
    /// A request has waited long enough.
    case request
    /// Time to see whether the receiver still speaks.
    case health
    /// A stop was too long to belong to the trip.
    case tripGap
    /// The schedule opens or closes.
    case schedule
    /// A beacon has not been heard for long.
    case beacons
    /// The first minute of a trip is over: listen less.
    case scan
    /// Something about a region is due that no fix tells.
    case regions
    /// The vehicle was parked for long enough to halt the board.
    case halt
    /// A blink of the light is over.
    case light
}
