package import Quantities
import TrackingOptions

/// The battery is low if its voltage remains below a limit, and exhausted if it does not recover. The voltage does not
/// show whether the engine runs, because a smart alternator rests at 12.4 V and charges with 15 V.
struct SupplyRule: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case low, back, exhausted
    }

    private enum State: Sendable, Hashable {
        case fine(below: Instant?)
        case low(since: Instant, above: Instant?)
    }

    /// A starter pulls a good battery below 10 V for a second or two, longer in the cold.
    private static let patience = Duration.seconds(60)
    /// A battery that is still low after this time will not recover, although the tracker draws less current.
    private static let grace = Duration.seconds(600)
    /// The voltage that a battery recovers when a load is removed must not end the low state.
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

/// Growing pauses between attempts to halt a board that goes on running.
struct HaltAttempts: Sendable, Hashable {
    private static let backoff = Backoff(first: .seconds(600), longest: .seconds(86_400))
    /// A board that still runs after this time was not halted.
    private static let longestHalt = Duration.seconds(300)

    /// The number of attempts since the vehicle last moved, or its battery last recovered.
    private(set) var count = 0
    private var began = Instant.boot
    private var hasFailed = false
    /// When the deliveries before the next attempt began.
    private var deliversSince: Instant?

    func isDue(at now: Instant) -> Bool { count == 0 || now >= next }

    var next: Instant { began + Self.backoff.pause(afterFailures: count) }

    func isUnderWay(at now: Instant) -> Bool {
        isDelivering || count > 0 && !hasFailed && now - began < Self.longestHalt
    }

    var isDelivering: Bool { deliversSince != nil }

    func hasDelivered(by now: Instant, within span: Duration) -> Bool {
        deliversSince.map { now - $0 >= span } ?? false
    }

    mutating func beginDelivery(at now: Instant) { deliversSince = deliversSince ?? now }

    /// The board is in use, so the next attempt waits for deliveries anew.
    mutating func cancelDelivery() { deliversSince = nil }

    mutating func wasRefused() { hasFailed = true }

    mutating func begin(at now: Instant) {
        count += 1
        began = now
        hasFailed = false
        deliversSince = nil
    }
}

struct IndicatorRule: Sendable, Hashable {
    /// How long the light is on for a record: long enough to see.
    private static let blink = Duration.milliseconds(200)

    private enum LightState: Sendable, Hashable { case dark, blink, steady }

    private var state = LightState.dark

    mutating func follow(_ indicator: Indicator, isTracking: Bool, into effects: inout EffectBuffer) {
        switch indicator {
        case .off: set(.dark, into: &effects)
        case .updates: if state == .steady { set(.dark, into: &effects) }
        case .always: set(isTracking ? .steady : .dark, into: &effects)
        }
    }

    mutating func recorded(at now: Instant, into effects: inout EffectBuffer) {
        set(.blink, into: &effects)
        effects.arm(.light, at: now + Self.blink)
    }

    mutating func timer(_ indicator: Indicator, into effects: inout EffectBuffer) {
        if indicator == .updates { set(.dark, into: &effects) }
    }

    private mutating func set(_ new: LightState, into effects: inout EffectBuffer) {
        let (wasLit, isLit) = (state != .dark, new != .dark)
        state = new
        if isLit != wasLit { effects.append(.light(isLit: isLit)) }
    }
}

package struct PowerPolicy: Sendable, Hashable {
    /// If this is nil, only an exhausted battery halts a parked board.
    package var haltAfter: Duration?
    /// The time from the halt until the board's clock wakes it; nil if something else does.
    package var wakeAfter: Duration?
    /// Nil if the voltage is not evaluated.
    package var lowVoltage: Volts?

    package init(haltAfter: Duration? = nil, wakeAfter: Duration? = nil, lowVoltage: Volts? = nil) {
        self.haltAfter = haltAfter
        self.wakeAfter = wakeAfter
        self.lowVoltage = lowVoltage
    }

    package static let leastVoltage = Volts(6)

    /// True if `lowVoltage` is too low for a vehicle, so the monitor measures the cells of an uninterruptible supply.
    package var measuresCells: Bool { lowVoltage.map { $0 < Volts(9) } ?? false }

    /// Any other voltage is a fault of the monitor or its wires. A load dump in a vehicle with 24 V reaches 58 V.
    package var plausible: ClosedRange<Volts> {
        (measuresCells ? (lowVoltage ?? .zero) * 0.5 : Self.leastVoltage)...Volts(60)
    }
}

package struct ProgramFacts: Sendable, Hashable {
    package var version: String?
    package var board: String?
    package var bootID: String?

    package init(version: String? = nil, board: String? = nil, bootID: String? = nil) {
        self.version = version
        self.board = board
        self.bootID = bootID
    }
}

/// In this period, `haltAfter` does not halt a parked board. The monotonic clock ends the period, so a change of the
/// date does not matter. After a boot, which resets that clock, the date ends the period once it is trusted. Even with
/// a wrong date, it ends at the latest when the requested time has passed since the boot.
package struct AwakePeriod: Sendable, Hashable, Codable {
    package static let longest = Duration.seconds(86_400)

    private var span: Duration
    private(set) var until: Timestamp
    /// Nil if the period is from an earlier boot and was not evaluated since.
    private(set) var end: Instant?
    /// The boot whose monotonic clock `end` uses.
    private var bootID: String?
    /// True if the period is from an earlier boot, and no trusted date has set its end yet.
    private var isDateDue = false

    /// A longer `span` than `longest` is shortened.
    init(lasting span: Duration, at now: Instant, _ time: UTCTime, bootID: String?) {
        self.span = min(span, Self.longest)
        until = time.time + self.span
        end = now + self.span
        self.bootID = bootID
    }

    /// Without a boot ID, each start counts as another boot.
    mutating func `continue`(inBoot current: String?) {
        span = min(span, Self.longest)
        guard current == nil || bootID != current else { return }
        (bootID, end, isDateDue) = (current, nil, true)
    }

    /// Call it whenever the date may have become trusted or been corrected.
    mutating func follow(_ time: UTCTime, at now: Instant) {
        var end = min(end ?? now + span, now + span)
        if isDateDue {
            self.end = end
            guard time.isTrusted else { return }
            end = min(end, now + max(.zero, until - time.time))
            isDateDue = false
        }
        self.end = end
        until = time.time + (end - now)
    }

    /// False until the first `follow` after a boot.
    func isOver(at now: Instant) -> Bool { end.map { now >= $0 } ?? false }
}
