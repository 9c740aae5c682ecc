import Quantities

/// Chooses one of several receivers whose reports gpsd passes on, because the reports of two receivers together form no track.
///
/// The choice falls on the first receiver that reports a fix. Another receiver takes its place only after the chosen receiver has
/// reported no fix for `patience`.
struct ReceiverChoice: Sendable, Hashable {
    /// The time without a fix after which another receiver may replace the chosen one.
    static let patience: Duration = .seconds(30)

    /// What to do with a report.
    enum Verdict: Sendable, Hashable {
        /// Use the report, and do not change the choice.
        ///
        /// The report comes from the chosen receiver, names no receiver, or comes from another receiver without a fix.
        /// In the last case, no receiver is chosen, or the chosen receiver has not reported for `patience`.
        case accepted
        /// The report is the first one from a newly chosen receiver, which takes the place of `former`; `former` is nil
        /// if no receiver was chosen before.
        case chosen(former: String?)
        /// The report comes from another receiver that does not become the chosen one, and the chosen receiver has
        /// reported within `patience`; `isFirst` is true for the first such report.
        case ignored(isFirst: Bool)
    }

    /// The chosen receiver; nil until a receiver reports a fix.
    private(set) var device: String?
    /// The time of the last fix from the chosen receiver, or of a later call of `restart`.
    private var fixedAt = Instant.boot
    /// The time of the last report from the chosen receiver, or of a later call of `restart`.
    private var heardAt = Instant.boot
    private var hasIgnored = false

    /// Gives the chosen receiver time for its first fix after a pause.
    mutating func restart(at now: Instant) { (fixedAt, heardAt) = (now, now) }

    /// Judges a report; treats a report without a device as a report of the chosen receiver.
    mutating func judge(_ reporter: String?, hasFix: Bool, at now: Instant) -> Verdict {
        guard let reporter, reporter != device else {
            heardAt = now
            if hasFix { fixedAt = now }
            return .accepted
        }
        let isFree = device == nil || now - fixedAt >= Self.patience
        if hasFix, isFree {
            defer { (device, fixedAt, heardAt) = (reporter, now, now) }
            return .chosen(former: device)
        }
        // If the chosen receiver is silent, a report without a fix from another receiver still shows that this other
        // receiver works.
        if device == nil || now - heardAt >= Self.patience { return .accepted }
        defer { hasIgnored = true }
        return .ignored(isFirst: !hasIgnored)
    }
}
