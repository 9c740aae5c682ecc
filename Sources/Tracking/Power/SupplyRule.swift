import Quantities

/// Judges the voltage of the vehicle's battery: low when it stays below a limit, exhausted when that lasts.
///
/// A voltage alone never tells whether the engine runs: a smart alternator rests at 12.4 V and charges with 15 V.
struct SupplyRule: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case low, back, exhausted
    }

    private enum State: Sendable, Hashable {
        case fine(below: Instant?)
        case low(since: Instant, above: Instant?)
    }

    /// A starter pulls a good battery below 10 V for a second or two, and a cold one for longer.
    private static let patience = Duration.seconds(60)
    /// Low for so long, though the tracker draws less, it will not become better.
    private static let grace = Duration.seconds(600)
    /// A battery recovers by some tenths when a load goes; the limit must not be crossed back and forth by that.
    private static let hysteresis = Volts(0.3)

    private let limit: Volts?
    private var state = State.fine(below: nil)

    init(limit: Volts?) { self.limit = limit }

    /// Whether the battery is low.
    var isLow: Bool { if case .low = state { true } else { false } }

    mutating func measure(_ voltage: Volts, at now: Instant) -> Change? {
        guard let limit else { return nil }
        switch state {
        case .fine(let below):
            let since = voltage < limit ? below ?? now : nil
            guard let since, now - since >= Self.patience else {
                state = .fine(below: since)
                return nil
            }
            state = .low(since: now, above: nil)
            return .low
        case .low(let began, let above):
            let since = voltage >= limit + Self.hysteresis ? above ?? now : nil
            if let since, now - since >= Self.patience {
                state = .fine(below: nil)
                return .back
            }
            state = .low(since: began, above: since)
            return since == nil && now - began >= Self.grace ? .exhausted : nil
        }
    }
}
