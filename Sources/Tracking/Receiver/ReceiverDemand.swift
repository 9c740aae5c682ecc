import Quantities

/// Keeps the receiver on while a part of the engine needs the receiver, and measures the time to first fix.
struct ReceiverDemand: Sendable, Hashable {
    /// A part of the engine that may need the receiver.
    enum User: Sendable, Hashable, CaseIterable {
        /// The state of the vehicle.
        case tracking
        case request
    }

    /// The weight of a new measurement in the average.
    ///
    /// With this weight, a few usual starts outweigh one start in a garage.
    private static let share = 0.25

    private var isWantedByTracking = false
    private var isWantedByRequest = false
    private var isCut = false
    private var isFirstFixMissing = false
    /// The measured times to first fix.
    private(set) var firstFixes = FirstFixes()
    /// Since when the receiver has been on; nil while it is off.
    private(set) var onSince: Instant?

    var isOn: Bool { onSince != nil }

    /// Stores whether `user` needs the receiver; returns whether this call switches the receiver on or off.
    mutating func want(_ isWanted: Bool, by user: User, at now: Instant, into effects: inout EffectBuffer) -> Bool {
        switch user {
        case .tracking: isWantedByTracking = isWanted
        case .request: isWantedByRequest = isWanted
        }
        return apply(at: now, into: &effects)
    }

    /// Cuts the supply of a lost receiver, even if a user needs the receiver; if `isCut` is false, restores the supply.
    mutating func cut(_ isCut: Bool, at now: Instant, into effects: inout EffectBuffer) {
        self.isCut = isCut
        _ = apply(at: now, into: &effects)
    }

    /// Handles a fix; if the fix is the first since the receiver was switched on, returns the new average time to first
    /// fix.
    mutating func fix(at now: Instant, average: Duration?) -> Duration? {
        guard isFirstFixMissing, let onSince else { return nil }
        isFirstFixMissing = false
        let measured = now - onSince
        firstFixes.add(measured)
        return average.map { $0 * (1 - Self.share) + measured * Self.share } ?? measured
    }

    /// Continues from the measurements in `earlier`.
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

/// The times to first fix since the program started.
package struct FirstFixes: Sendable, Hashable {
    /// The number of measurements.
    package private(set) var count = 0
    /// The sum of all measurements.
    package private(set) var total = Duration.zero
    /// The last measurement; nil before the first one.
    package private(set) var last: Duration?

    /// Starts to measure.
    package init() {}

    package mutating func add(_ measured: Duration) {
        count += 1
        total += measured
        last = measured
    }
}
