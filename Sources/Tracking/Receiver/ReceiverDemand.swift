import Quantities

/// Keeps the receiver on while a part of the engine needs it, and measures the time to first fix.
struct ReceiverDemand: Sendable, Hashable {
    enum User: Sendable, Hashable, CaseIterable {
        case tracking
        case request
    }

    /// The weight of a new measurement: a few usual starts outweigh one in a garage.
    private static let share = 0.25

    private var isWantedByTracking = false
    private var isWantedByRequest = false
    private var isCut = false
    private var isFirstFixMissing = false
    private(set) var firstFixes = FirstFixes()
    private(set) var onSince: Instant?

    var isOn: Bool { onSince != nil }

    mutating func want(_ isWanted: Bool, by user: User, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        switch user {
        case .tracking: isWantedByTracking = isWanted
        case .request: isWantedByRequest = isWanted
        }
        return apply(at: now, into: &effects)
    }

    /// The supply of a lost receiver is cut even if the receiver is needed.
    mutating func cut(_ isCut: Bool, at now: Instant, into effects: inout EffectBuffer) {
        self.isCut = isCut
        _ = apply(at: now, into: &effects)
    }

    /// Returns the new average at the first fix since the receiver was switched on, otherwise nil.
    mutating func fix(at now: Instant, average: Duration?) -> Duration? {
        guard isFirstFixMissing, let onSince else { return nil }
        isFirstFixMissing = false
        let measured = now - onSince
        firstFixes.add(measured)
        return average.map { $0 * (1 - Self.share) + measured * Self.share } ?? measured
    }

    mutating func resume(_ earlier: FirstFixes) { firstFixes = earlier }

    private mutating func apply(at now: Instant, into effects: inout EffectBuffer) -> Bool {
        let isWanted = (isWantedByTracking || isWantedByRequest) && !isCut
        guard isWanted != isOn else { return false }
        onSince = isWanted ? now : nil
        isFirstFixMissing = isWanted
        effects.append(.receiver(isOn: isWanted))
        return true
    }
}

package struct FirstFixes: Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var total = Duration.zero
    package private(set) var last: Duration?

    package init() {}

    package mutating func add(_ measured: Duration) {
        count += 1
        total += measured
        last = measured
    }
}
