import Quantities

/// Collects what the components order, in the order of their statements.
package struct EffectBuffer: Sendable {
    /// The effects so far; each is carried out before the next.
    package private(set) var effects: [Effect] = []

    /// Makes an empty buffer.
    package init() {}

    /// Number of effects.
    package var count: Int { effects.count }

    /// Removes all effects and keeps the memory for the next event.
    package mutating func removeAll() { effects.removeAll(keepingCapacity: true) }

    /// Adds one effect at the end.
    package mutating func append(_ effect: Effect) { effects.append(effect) }

    /// Orders a timer, in place of one of that kind.
    mutating func arm(_ timer: TimerKind, at moment: Instant) { effects.append(.arm(timer, at: moment)) }

    /// Orders timers to be forgotten.
    mutating func cancel(_ timers: TimerKind...) {
        for timer in timers { effects.append(.cancel(timer)) }
    }

    /// Adds the reason for what was decided, or for what was not.
    mutating func decide(_ subject: Decision.Subject, _ text: String) {
        effects.append(.decided(Decision(subject, text)))
    }

    /// Whether a record was added after the first `count` effects.
    func hasRecord(after count: Int) -> Bool {
        effects.dropFirst(count).contains { if case .record = $0 { true } else { false } }
    }
}
