package import Quantities

/// Detects that the receiver reports positions, but that none of them is usable, always for the same reason.
struct RefusalRule: Sendable, Hashable {
    /// A reason counts as lasting after this time; a receiver that has just found satellites may have large errors before.
    private static let patience = Duration.seconds(30)

    private var latest: FixRejection?
    private var since = Instant.boot
    /// The reason; nil if the last position was usable, or if no reason has lasted.
    private(set) var reason: FixRejection?

    /// Handles the judgement on a report, nil for an accepted fix; returns the reason when it has lasted, once.
    mutating func note(_ refusal: FixRejection?, at now: Instant) -> FixRejection? {
        guard let refusal else {
            (latest, reason) = (nil, nil)
            return nil
        }
        guard refusal.lastingCause != nil else { return nil }
        if refusal != latest { (latest, since) = (refusal, now) }
        guard refusal != reason, now - since >= Self.patience else { return nil }
        reason = refusal
        return refusal
    }
}

/// Judges the reports of a receiver by the rules of the engine, for the doctor.
package struct FixTrial: Sendable {
    private var filter: FixFilter
    private let accuracyLimit: Metres

    /// Begins a trial; the filter rejects fixes with an error above `accuracyLimit`.
    package init(accuracyLimit: Metres, notBefore: Timestamp = ReleaseDate.current) {
        filter = FixFilter(notBefore: notBefore, last: nil)
        self.accuracyLimit = accuracyLimit
    }

    /// Returns why the engine rejects a report; nil if it accepts the report.
    ///
    /// `date` is the date of the computer; nil if no time server has set the clock.
    package mutating func judge(_ report: Fix, date: Timestamp?, at now: Instant) -> FixRejection? {
        var fix = report.withinBounds().fix
        fix.time = fix.time ?? date
        guard case .refused(let reason) = filter.judge(fix, accuracyLimit: accuracyLimit, at: now) else { return nil }
        return reason
    }
}
