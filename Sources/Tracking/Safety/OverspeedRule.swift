package import Quantities

/// Judges the Doppler speeds of several fixes in a row, because reflected signals cause wrong speeds in single ones.
package struct OverspeedRule: Sendable, Hashable {
    package struct Spell: Sendable, Hashable, Codable {
        package let limit: MetresPerSecond
        package let began: Timestamp
        /// The time of the latest fix above the limit.
        package private(set) var last: Timestamp
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
        case below
        /// Fixes are above the limit and its hysteresis, but too few or for too short a time.
        case rising(Spell, fixes: Int)
        /// The start was reported; `slowSince` is the first of the latest fixes within the limit.
        case above(Spell, slowSince: Timestamp?)
    }

    /// A period begins above this multiple and ends at the limit. Teltonika's trackers use 3 % too.
    private static let hysteresis = 1.03
    /// How long fixes must agree before a period begins or ends.
    private static let confirmation = Duration.seconds(5)
    private static let fewestFixes = 3
    /// A longer gap between fixes, as in a tunnel, ends the period, because the speed in it is unknown.
    private static let longestGap = Duration.seconds(30)

    private var state: State
    private var lastFix: Timestamp?

    /// `spell` was reported before a restart.
    package init(restoring spell: Spell? = nil) {
        state = spell.map { .above($0, slowSince: nil) } ?? .below
        lastFix = spell?.last
    }

    /// The period that was reported and has not ended.
    package var spell: Spell? {
        if case .above(let spell, _) = state { spell } else { nil }
    }

    /// A limit of zero switches the rule off.
    package mutating func handle(_ fix: AcceptedFix, limit: MetresPerSecond) -> [DrivingEvent] {
        guard let speed = fix.position.speed else { return [] }
        let isGap = lastFix.map { (fix.time - $0).magnitude > Self.longestGap } ?? false
        let ended = isGap || stateLimit != limit ? end() : nil
        lastFix = fix.time
        let event = limit > .zero ? judge(speed, at: fix.time, limit: limit) : nil
        return [ended, event].compactMap(\.self)
    }

    /// Call it when the vehicle stops. Returns the end of a period whose beginning was reported.
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

    private mutating func judge(_ speed: MetresPerSecond, at time: Timestamp, limit: MetresPerSecond) -> DrivingEvent? {
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
