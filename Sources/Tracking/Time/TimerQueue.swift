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
