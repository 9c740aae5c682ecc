import Quantities

/// Knows what time it is in UTC at any instant since boot, and whether that is to be believed.
///
/// A board without a clock chip starts with a wrong date; the first fix, or a time server, sets it right.
struct ClockTrust: Sendable, Hashable {
    private enum Source: Sendable, Hashable {
        case nothing
        case system(boot: Timestamp, isTrusted: Bool)
        case fix(boot: Timestamp, at: Instant)
    }

    /// The clock of a board drifts by a second or two a day: a time server knows better than a fix that is older than this.
    private static let fixLasts = Duration.seconds(6 * 3600)

    private var source = Source.nothing

    /// Learns from the system clock; a fix knows better, unless it is old and a time server has set the clock.
    ///
    /// What was known once stays known: the kernel takes its word back hours after it last heard of a time server, and
    /// the date of boot has not changed with that.
    mutating func learn(system time: Timestamp, isTrusted: Bool, at now: Instant) -> [Effect] {
        switch source {
        case .fix(_, let moment) where !isTrusted || now - moment < Self.fixLasts: []
        case .system(_, true) where !isTrusted: []
        case .nothing, .system, .fix: adopt(.system(boot: Self.boot(time, now), isTrusted: isTrusted), at: now)
        }
    }

    /// Learns from a fix.
    mutating func learn(fix time: Timestamp, at now: Instant) -> [Effect] {
        adopt(.fix(boot: Self.boot(time, now), at: now), at: now)
    }

    /// The records that were dated by guess until now can be dated rightly.
    private mutating func adopt(_ source: Source, at now: Instant) -> [Effect] {
        let (before, wasTrusted) = time(at: now)
        if case .nothing = self.source {
            // Whoever runs the engine says what the clock shows before anything is dated.
            self.source = source
            return []
        }
        self.source = source
        let (after, isTrusted) = time(at: now)
        guard isTrusted, !wasTrusted else { return [] }
        return [.mend(before: now, by: after - before)]
    }

    /// UTC at that instant; 1970 and not to be trusted when nothing was learnt.
    func time(at instant: Instant) -> (time: Timestamp, isTrusted: Bool) {
        let sinceBoot = instant - .boot
        switch source {
        case .nothing: return (Timestamp(milliseconds: 0) + sinceBoot, false)
        case .system(let boot, let isTrusted): return (boot + sinceBoot, isTrusted)
        case .fix(let boot, _): return (boot + sinceBoot, true)
        }
    }

    private static func boot(_ time: Timestamp, _ now: Instant) -> Timestamp { time - (now - .boot) }
}
