import Quantities

/// Keeps the receiver on while anybody wants it, and measures how long it takes to its first fix.
struct ReceiverPower: Sendable, Hashable {
    /// Who may want it.
    enum User: Sendable, Hashable, CaseIterable {
        /// The state that the vehicle is in.
        case tracking
        /// Somebody asked where the vehicle is.
        case request
    }

    /// A new measurement counts by this share: a few starts outweigh one in a garage.
    private static let share = 0.25

    private var isWantedByTracking = false
    private var isWantedByRequest = false
    private var isCut = false
    private var onSince: Instant?
    private var isFirstFixMissing = false

    /// Whether it is on.
    var isOn: Bool { onSince != nil }

    /// Since when it has been on.
    var since: Instant? { onSince }

    /// Notes that a user wants it, or does so no longer.
    mutating func want(_ isWanted: Bool, by user: User, at now: Instant) -> [Effect] {
        switch user {
        case .tracking: isWantedByTracking = isWanted
        case .request: isWantedByRequest = isWanted
        }
        return apply(at: now)
    }

    /// Cuts the supply of a receiver that is stuck, whoever wants it, or gives it back.
    mutating func cut(_ isCut: Bool, at now: Instant) -> [Effect] {
        self.isCut = isCut
        return apply(at: now)
    }

    /// Notes a fix; returns the time to first fix, averaged with what it was before, when it is one.
    mutating func fix(at now: Instant, average: Duration?) -> Duration? {
        guard isFirstFixMissing, let onSince else { return nil }
        isFirstFixMissing = false
        let measured = now - onSince
        return average.map { $0 * (1 - Self.share) + measured * Self.share } ?? measured
    }

    private mutating func apply(at now: Instant) -> [Effect] {
        let isWanted = (isWantedByTracking || isWantedByRequest) && !isCut
        guard isWanted != isOn else { return [] }
        onSince = isWanted ? now : nil
        isFirstFixMissing = isWanted
        return [.receiver(isOn: isWanted)]
    }
}
