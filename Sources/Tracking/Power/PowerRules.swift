import Quantities
import TrackingOptions

/// Evaluates the voltage of the vehicle's battery.
///
/// The battery is low if the voltage remains below a limit, and exhausted if the voltage does not recover. The voltage
/// does not show whether the engine runs, because a smart alternator rests at 12.4 V and charges with 15 V.
struct SupplyRule: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case low, back, exhausted
    }

    private enum State: Sendable, Hashable {
        case fine(below: Instant?)
        case low(since: Instant, above: Instant?)
    }

    /// The state changes only after the voltage has been low, or good again, for this time.
    ///
    /// A starter pulls a good battery below 10 V for a second or two. If the battery is cold, this takes longer.
    private static let patience = Duration.seconds(60)
    /// A battery that is still low after this time will not recover, although the tracker draws less.
    private static let grace = Duration.seconds(600)
    /// A battery recovers by some tenths of a volt when a load is removed; such a recovery must not end the low state.
    private static let hysteresis = Volts(0.3)

    private let limit: Volts?
    private var state = State.fine(below: nil)

    init(limit: Volts?) { self.limit = limit }

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

/// Sets growing pauses between the attempts to halt a board that continues to run.
struct HaltAttempts: Sendable, Hashable {
    private static let backoff = Backoff(first: .seconds(600), longest: .seconds(86_400))
    /// A halt takes at most this time; a board that still runs afterwards was not halted.
    private static let longestHalt = Duration.seconds(300)

    /// Number of attempts since the vehicle last moved, or since its battery last recovered.
    private(set) var count = 0
    private var began = Instant.boot
    private var hasFailed = false
    /// When the deliveries before this attempt began; nil if they have not begun.
    private var deliversSince: Instant?

    func isDue(at now: Instant) -> Bool { count == 0 || now >= next }

    /// When the next attempt may be made.
    var next: Instant { began + Self.backoff.pause(afterFailures: count) }

    /// Whether an attempt is still in progress.
    func isUnderWay(at now: Instant) -> Bool {
        isDelivering || count > 0 && !hasFailed && now - began < Self.longestHalt
    }

    /// Whether the deliveries before the attempt are under way.
    var isDelivering: Bool { deliversSince != nil }

    /// Whether the deliveries have had at least `span` of time.
    func hasDelivered(by now: Instant, within span: Duration) -> Bool {
        deliversSince.map { now - $0 >= span } ?? false
    }

    /// Begins the deliveries before the attempt.
    mutating func beginDelivery(at now: Instant) { deliversSince = deliversSince ?? now }

    /// Abandons the attempt, because the board is in use.
    mutating func cancelDelivery() { deliversSince = nil }

    /// Notes that the last attempt failed.
    mutating func wasRefused() { hasFailed = true }

    /// Counts an attempt.
    mutating func begin(at now: Instant) {
        count += 1
        began = now
        hasFailed = false
        deliversSince = nil
    }
}

/// Controls the indicator light of the board.
struct IndicatorRule: Sendable, Hashable {
    /// The duration of a blink: long enough to see it.
    private static let blink = Duration.milliseconds(200)

    private enum LightState: Sendable, Hashable { case dark, blink, steady }

    private var state = LightState.dark

    /// Switches the light on or off permanently, as the option requests.
    mutating func follow(_ indicator: Indicator, isTracking: Bool, into effects: inout EffectBuffer) {
        switch indicator {
        case .off: set(.dark, into: &effects)
        case .updates: if state == .steady { set(.dark, into: &effects) }
        case .always: set(isTracking ? .steady : .dark, into: &effects)
        }
    }

    /// Blinks for a record.
    mutating func recorded(at now: Instant, into effects: inout EffectBuffer) {
        set(.blink, into: &effects)
        effects.arm(.light, at: now + Self.blink)
    }

    /// Ends a blink.
    mutating func timer(_ indicator: Indicator, into effects: inout EffectBuffer) {
        if indicator == .updates { set(.dark, into: &effects) }
    }

    private mutating func set(_ new: LightState, into effects: inout EffectBuffer) {
        let (wasLit, isLit) = (state != .dark, new != .dark)
        state = new
        if isLit != wasLit { effects.append(.light(isLit: isLit)) }
    }
}
