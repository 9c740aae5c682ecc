internal import Quantities

/// Keeps uploads apart: a round takes what waits when it begins, and the next one begins an interval later.
struct SyncGate: Sendable, Hashable {
    private let interval: Duration
    private var start: Instant?
    private var through = Int64.max
    private var isOver = true

    init(interval: Duration) { self.interval = interval }

    /// When the next round may begin; nothing when there is nothing to wait for.
    func opens(after now: Instant) -> Instant? {
        guard isOver, let start, now < start + interval else { return nil }
        return start + interval
    }

    /// Begins a round when it is time for one; `newest` is the last record that belongs to it.
    mutating func enter(newest: Int64?, at now: Instant) {
        if let start, now < start + interval { return }
        start = now
        through = newest ?? .max
        isOver = false
    }

    /// Whether a record belongs to this round.
    func admits(_ sequence: Int64) -> Bool { sequence <= through }

    /// All that belongs to the round is delivered.
    mutating func finish() { isOver = true }

    /// After an outage nobody waits for an interval.
    mutating func reset() { self = SyncGate(interval: interval) }
}
