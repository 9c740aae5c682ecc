package import Quantities

/// Finds that no position of the receiver is usable, always for the same reason.
struct RefusalRule: Sendable, Hashable {
    /// A receiver that has just found satellites may have large errors.
    private static let patience = Duration.seconds(30)

    private var latest: FixRejection?
    private var since = Instant.boot
    /// Nil if the last position was usable, or if no reason has lasted.
    private(set) var reason: FixRejection?

    /// `refusal` is nil for an accepted fix. Returns a reason once, when it has lasted.
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

/// Judges fixes by the rules of the engine, for the doctor.
package struct FixTrial: Sendable {
    private var filter: FixFilter
    private let accuracyLimit: Metres

    package init(accuracyLimit: Metres, notBefore: Timestamp = ReleaseDate.current) {
        filter = FixFilter(notBefore: notBefore, last: nil)
        self.accuracyLimit = accuracyLimit
    }

    /// `date` is that of the computer; nil if no time server has set its clock.
    package mutating func judge(_ report: Fix, date: Timestamp?, at now: Instant) -> FixRejection? {
        var fix = report.withinBounds
        fix.time = fix.time ?? date
        guard case .refused(let reason) = filter.judge(fix, accuracyLimit: accuracyLimit, at: now) else { return nil }
        return reason
    }
}
