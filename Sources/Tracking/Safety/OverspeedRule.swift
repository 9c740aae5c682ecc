package import Quantities

/// Detects that the vehicle drives faster than a limit.
///
/// The rule compares the speeds that the receiver measures by Doppler shift. Several fixes in a row must exceed the limit,
/// because reflected signals cause wrong speeds in single fixes.
package struct OverspeedRule: Sendable, Hashable {
    /// A period above the limit.
    package struct Spell: Sendable, Hashable, Codable {
        /// The limit during the period.
        package let limit: MetresPerSecond
        /// The time of the first fix above the limit.
        package let began: Timestamp
        /// The time of the last fix above the limit so far.
        package private(set) var last: Timestamp
        /// The highest speed so far.
        package private(set) var top: MetresPerSecond

        fileprivate init(limit: MetresPerSecond, at time: Timestamp, _ speed: MetresPerSecond) {
            (self.limit, began, last, top) = (limit, time, time, speed)
        }

        fileprivate mutating func extend(to time: Timestamp, _ speed: MetresPerSecond) {
            (last, top) = (time, max(top, speed))
        }

        fileprivate func event(_ kind: DrivingEvent.Kind) -> DrivingEvent {
            DrivingEvent(kind, peak: nil, lasted: last - began, topSpeed: top, limit: limit)
        }
    }

    private enum State: Sendable, Hashable {
        /// The last speed did not begin a period.
        case below
        /// The last `fixes` speeds were above the limit and its hysteresis, but too few, or not for long enough.
        case rising(Spell, fixes: Int)
        /// The rule has reported the period; `slowSince` is the first of the latest fixes within the limit.
        case above(Spell, slowSince: Timestamp?)
    }

    /// A period begins only at a speed above this multiple of the limit, and ends at or below the limit.
    ///
    /// Teltonika's trackers use the same hysteresis of 3 %.
    private static let hysteresis = 1.03
    /// A period begins or ends only after the fixes have shown it for this time.
    private static let confirmation = Duration.seconds(5)
    /// The lowest number of fixes that begin a period.
    private static let fewestFixes = 3
    /// The longest time between two fixes of a period; in a longer gap, for example in a tunnel, the speed is unknown.
    private static let longestGap = Duration.seconds(30)

    private var state: State
    private var lastFix: Timestamp?

    /// Makes a rule that continues the period `spell`, which it reported before a restart; nil if there was none.
    package init(restoring spell: Spell? = nil) {
        state = spell.map { .above($0, slowSince: nil) } ?? .below
        lastFix = spell?.last
    }

    /// The period that the rule has reported and that has not ended; nil if there is none.
    package var spell: Spell? {
        if case .above(let spell, _) = state { spell } else { nil }
    }

    /// Handles a fix; returns the beginning and the end of periods.
    ///
    /// A limit of zero switches the rule off.
    package mutating func handle(_ fix: AcceptedFix, limit: MetresPerSecond) -> [DrivingEvent] {
        guard let speed = fix.position.speed else { return [] }
        let isGap = lastFix.map { (fix.time - $0).magnitude > Self.longestGap } ?? false
        let ended = isGap || stateLimit != limit ? end() : nil
        lastFix = fix.time
        let event = limit > .zero ? judge(speed, at: fix.time, limit: limit) : nil
        return [ended, event].compactMap(\.self)
    }

    /// Ends the present period, because the vehicle stops; returns its end if the rule has reported its beginning.
    package mutating func end() -> DrivingEvent? {
        let spell = spell
        state = .below
        return spell?.event(.overspeedEnded)
    }

    private var stateLimit: MetresPerSecond? {
        switch state {
        case .below: nil
        case .rising(let spell, _), .above(let spell, _): spell.limit
        }
    }

    private mutating func judge(
        _ speed: MetresPerSecond, at time: Timestamp, limit: MetresPerSecond
    ) -> DrivingEvent? {
        let isFast = speed > limit * Self.hysteresis
        switch state {
        case .below:
            if isFast { state = .rising(Spell(limit: limit, at: time, speed), fixes: 1) }
        case .rising(var spell, let fixes):
            guard isFast else {
                state = .below
                return nil
            }
            spell.extend(to: time, speed)
            guard fixes + 1 >= Self.fewestFixes, spell.last - spell.began >= Self.confirmation else {
                state = .rising(spell, fixes: fixes + 1)
                return nil
            }
            state = .above(spell, slowSince: nil)
            return spell.event(.overspeed)
        case .above(var spell, let slowSince):
            guard speed <= limit else {
                spell.extend(to: time, speed)
                state = .above(spell, slowSince: nil)
                return nil
            }
            let since = slowSince ?? time
            state = .above(spell, slowSince: since)
            if time - since >= Self.confirmation { return end() }
        }
        return nil
    }
}
