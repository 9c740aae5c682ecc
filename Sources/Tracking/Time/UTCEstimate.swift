package import Quantities

package struct UTCTime: Sendable, Hashable {
    package var time: Timestamp
    /// True if a fix or a time server has set the clock.
    package var isTrusted: Bool
    /// True if the time was counted from the UTC time of the boot; otherwise it is that of a fix.
    package var isCounted: Bool

    /// If `isCounted` is nil, a trusted time is that of a fix.
    package init(_ time: Timestamp, isTrusted: Bool, isCounted: Bool? = nil) {
        self.time = time
        self.isTrusted = isTrusted
        self.isCounted = isCounted ?? !isTrusted
    }
}

/// UTC at any instant since boot, and whether to trust it. A board without a clock chip has a wrong date until the first
/// fix or a time server sets it.
package struct UTCEstimate: Sendable, Hashable {
    private enum Source: Sendable, Hashable {
        case unknown
        case system(boot: Timestamp, isTrusted: Bool)
        /// `since` is when the first of the agreeing fixes came, or earlier if a time server agrees.
        case fix(boot: Timestamp, at: Instant, since: Instant)
    }

    /// A time server overrides an older fix, because a board's clock drifts by a second or two a day.
    private static let fixLasts = Duration.seconds(6 * 3600)
    /// Boot times that differ by less are equal: reports wait in buffers, and clocks drift.
    private static let tolerance = Duration.seconds(10)
    /// A fix that differs from a time server by more is wrong.
    private static let serverTolerance = Duration.seconds(86_400)
    /// How long fixes must agree to confirm a date.
    private static let confirming = Duration.seconds(3600)

    private var source = Source.unknown

    package init() {}

    /// Returns the correction for earlier timestamps. A fix overrides the system clock. A time server overrides an old
    /// fix, and a recent one whose date differs and is not confirmed. A trusted estimate remains trusted: hours after
    /// the last contact with NTP, the kernel clears its "synchronised" flag, but the boot time is still right.
    package mutating func learn(system time: Timestamp, isTrusted: Bool, at now: Instant) -> Duration? {
        let boot = time.bootTime(at: now)
        switch source {
        case .fix where !isTrusted: return nil
        case .fix(let known, let moment, _) where now - moment < Self.fixLasts:
            guard !isConfirmed, (boot - known).magnitude > Self.tolerance else { return nil }
        case .system(_, true) where !isTrusted: return nil
        case .unknown, .system, .fix: break
        }
        return adopt(.system(boot: boot, isTrusted: isTrusted), at: now)
    }

    /// Returns the correction for earlier timestamps; nil if there is none, or if a time server contradicts the fix.
    package mutating func learn(fix time: Timestamp, at now: Instant) -> Duration? {
        let boot = time.bootTime(at: now)
        var since = now
        switch source {
        case .unknown, .system(_, false): break
        case .system(let known, true):
            let difference = (boot - known).magnitude
            guard difference <= Self.serverTolerance else { return nil }
            if difference <= Self.tolerance { since = now - Self.confirming }
        case .fix(let known, _, let first):
            if (boot - known).magnitude <= Self.tolerance {
                source = .fix(boot: boot, at: now, since: first)
                return nil
            }
        }
        return adopt(.fix(boot: boot, at: now, since: since), at: now)
    }

    /// True if a time server, or an hour of agreeing fixes, has confirmed the date; old records may then be deleted.
    package var isConfirmed: Bool {
        switch source {
        case .unknown: false
        case .system(_, let isTrusted): isTrusted
        case .fix(_, let last, let since): last - since >= Self.confirming
        }
    }

    /// True if fixes agree with a time server, or for an hour with each other. Until then, stored dates can be corrected.
    package var isCorroborated: Bool {
        switch source {
        case .unknown, .system: false
        case .fix: isConfirmed
        }
    }

    /// Without a source, it counts from 1970 and is not trusted.
    package func time(at instant: Instant) -> UTCTime {
        switch source {
        case .unknown: return UTCTime(Timestamp(milliseconds: 0).time(at: instant), isTrusted: false)
        case .system(let boot, let isTrusted):
            return UTCTime(boot.time(at: instant), isTrusted: isTrusted, isCounted: true)
        case .fix(let boot, _, _): return UTCTime(boot.time(at: instant), isTrusted: true, isCounted: true)
        }
    }

    private mutating func adopt(_ new: Source, at now: Instant) -> Duration? {
        let before = time(at: now)
        // The first source corrects nothing, because the program reports the system clock before the engine dates any record.
        let isFirst = source == .unknown
        source = new
        let after = time(at: now)
        let correction = after.time - before.time
        // Also correct a trusted date that has proved wrong.
        guard !isFirst, after.isTrusted, !before.isTrusted || correction.magnitude > Self.tolerance else { return nil }
        return correction
    }
}
