import Quantities

/// Chooses one of several receivers, because the reports of two together form no track. The first that reports a fix is
/// chosen; another takes its place only after the chosen one has reported no fix for `patience`.
struct ReceiverChoice: Sendable, Hashable {
    static let patience: Duration = .seconds(30)

    enum Verdict: Sendable, Hashable {
        /// The report comes from the chosen receiver or has no name. A report without a fix is also accepted while no
        /// receiver is chosen, or after the chosen one has been silent for `patience`.
        case accepted
        /// The report's receiver is now the chosen one; `former` is nil if none was chosen before.
        case chosen(former: String?)
        /// The report comes from another receiver, and the chosen one has reported within `patience`; `isFirst` is
        /// true for the first such report.
        case ignored(isFirst: Bool)
    }

    private(set) var device: String?
    /// The time of the last fix of the chosen receiver, or of a later `restart`.
    private var fixedAt = Instant.boot
    /// The time of the last report of the chosen receiver, or of a later `restart`.
    private var heardAt = Instant.boot
    private var hasIgnored = false

    /// Gives the chosen receiver time for its first fix after a pause.
    mutating func restart(at now: Instant) { (fixedAt, heardAt) = (now, now) }

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
        // While the chosen receiver is silent, a report without a fix still shows that the other one works.
        if device == nil || now - heardAt >= Self.patience { return .accepted }
        defer { hasIgnored = true }
        return .ignored(isFirst: !hasIgnored)
    }
}
