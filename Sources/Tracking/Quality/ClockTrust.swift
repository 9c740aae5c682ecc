import Quantities

/// Knows what time it is in UTC at any instant since boot, and whether that is to be believed.
///
/// A board without a clock chip starts with a wrong date; the first fix, or a time server, sets it right.
struct ClockTrust: Sendable, Hashable {
    private enum Source: Sendable, Hashable {
        case nothing
        case system(boot: Timestamp, isTrusted: Bool)
        /// `since` is when the first fix came that agrees with the last.
        case fix(boot: Timestamp, at: Instant, since: Instant)
    }

    /// The clock of a board drifts by a second or two a day: a time server knows better than a fix that is older than this.
    private static let fixLasts = Duration.seconds(6 * 3600)

    /// Dates of boot that differ by less are the same: reports wait in buffers, and clocks drift.
    private static let tolerance = Duration.seconds(10)
    /// A fix whose date is this far from that of a time server is wrong.
    private static let serverTolerance = Duration.seconds(86_400)
    /// Fixes that have agreed for so long are right about the time.
    private static let confirming = Duration.seconds(3600)

    private var source = Source.nothing

    /// Learns from the system clock; a fix knows better, unless it is old and a time server has set the clock.
    ///
    /// What was known once stays known: the kernel takes its word back hours after it last heard of a time server, and
    /// the date of boot has not changed with that.
    mutating func learn(system time: Timestamp, isTrusted: Bool, at now: Instant) -> [Effect] {
        let boot = Self.boot(time, now)
        switch source {
        case .fix where !isTrusted: return []
        case .fix(let known, let moment, _) where now - moment < Self.fixLasts:
            // A date that only few fixes have stated yields to a time server that contradicts it.
            guard !isConfirmed, (boot - known).magnitude > Self.tolerance else { return [] }
        case .system(_, true) where !isTrusted: return []
        case .nothing, .system, .fix: break
        }
        return adopt(.system(boot: boot, isTrusted: isTrusted), at: now)
    }

    /// Learns from a fix, unless a time server has contradicted it.
    mutating func learn(fix time: Timestamp, at now: Instant) -> [Effect] {
        let boot = Self.boot(time, now)
        var since = now
        switch source {
        case .nothing, .system(_, false): break
        case .system(let known, true):
            let difference = (boot - known).magnitude
            guard difference <= Self.serverTolerance else { return [] }
            if difference <= Self.tolerance { since = now - Self.confirming }
        case .fix(let known, _, let first):
            if (boot - known).magnitude <= Self.tolerance { since = first }
        }
        return adopt(.fix(boot: boot, at: now, since: since), at: now)
    }

    /// Whether a time server has set the clock, or fixes have agreed on the time for long.
    ///
    /// Nothing that cannot be undone, such as forgetting old records, rests on a date that is not confirmed.
    var isConfirmed: Bool {
        switch source {
        case .nothing: false
        case .system(_, let isTrusted): isTrusted
        case .fix(_, let last, let since): last - since >= Self.confirming
        }
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
        // A date that was believed, and has turned out to be wrong, is put right as well.
        guard isTrusted, !wasTrusted || (after - before).magnitude > Self.tolerance else { return [] }
        return [.mend(before: now, by: after - before)]
    }

    /// UTC at that instant; 1970 and not to be trusted when nothing was learnt.
    func time(at instant: Instant) -> (time: Timestamp, isTrusted: Bool) {
        let sinceBoot = instant - .boot
        switch source {
        case .nothing: return (Timestamp(milliseconds: 0) + sinceBoot, false)
        case .system(let boot, let isTrusted): return (boot + sinceBoot, isTrusted)
        case .fix(let boot, _, _): return (boot + sinceBoot, true)
        }
    }

    private static func boot(_ time: Timestamp, _ now: Instant) -> Timestamp { time - (now - .boot) }
}
