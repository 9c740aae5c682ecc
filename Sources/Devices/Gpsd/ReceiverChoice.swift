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
        /// The report comes from the chosen receiver, or names no receiver; or another receiver reports without a fix,
        /// and no receiver is chosen, or the chosen receiver has not reported for `patience`.
        case accepted
        /// The report is the first one from a newly chosen receiver, which takes the place of `former`; nil if none was
        /// chosen.
        case chosen(former: String?)
        /// The report comes from another receiver, and the chosen receiver has reported within `patience`.
        case ignored
    }

    /// The chosen receiver; nil until a receiver reports a fix.
    private(set) var device: String?
    /// When the chosen receiver reported a fix for the last time, or when `restart` was called after that.
    private var fixedAt = Instant.boot
    /// When the chosen receiver reported for the last time, or when `restart` was called after that.
    private var heardAt = Instant.boot

    /// Gives the chosen receiver time for its first fix after a pause.
    mutating func restart(at now: Instant) { (fixedAt, heardAt) = (now, now) }

    /// Judges a report; a report without a device counts as one of the chosen receiver.
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
        // A report without a fix still shows that a receiver works, if the chosen one is silent.
        return device == nil || now - heardAt >= Self.patience ? .accepted : .ignored
    }
}
