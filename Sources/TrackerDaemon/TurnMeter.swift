import Quantities

/// Measures the turns of the loop: how long the loop works between two waits.
///
/// During a turn, the loop serves no other device and no other client. The meter starts no timer; it costs one reading of the
/// clock per turn.
struct TurnMeter {
    /// A turn that took longer than `limit`.
    struct LongTurn: Sendable, Hashable {
        /// The length in real time.
        let length: Duration
        /// What the loop handled, in order.
        let work: [String]
    }

    /// The longest turn that the meter does not report.
    ///
    /// An operation on the database waits at most this long for another program (`Database.patience_ms`).
    static let limit = Duration.milliseconds(20)

    /// The longest turn so far, in real time.
    private(set) var longest = Duration.zero
    /// The number of turns that took longer than `limit`.
    private(set) var longCount = 0
    private var began = Instant.boot
    private var work: [String] = []

    /// Begins a turn, when the wait has ended; `now` is a moment of `LoopClock.realNow`.
    mutating func begin(at now: Instant) {
        began = now
        work.removeAll(keepingCapacity: true)
    }

    /// Notes what the loop handles in this turn.
    mutating func note(_ part: String) { work.append(part) }

    /// Ends the turn, at a moment of `LoopClock.realNow`; returns the turn if it took longer than `limit`.
    mutating func end(at now: Instant) -> LongTurn? {
        let length = now - began
        longest = max(longest, length)
        guard length > Self.limit else { return nil }
        longCount += 1
        return LongTurn(length: length, work: work)
    }
}
