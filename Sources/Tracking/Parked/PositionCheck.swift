import Quantities

/// A check of the position of a parked vehicle, during which the receiver is on.
///
/// A check runs once after each start of the program, because the vehicle may have moved since the last run. Without an
/// accelerometer that reports a start, checks run regularly. Further checks run at each `desiredStoppedUpdateInterval`, for
/// a record, and to confirm motion.
struct PositionCheck: Sendable, Hashable {
    /// The further purposes of a check, which always determines whether the vehicle is still parked.
    struct Purpose: Sendable, Hashable {
        /// Whether the fix of the check becomes a record.
        var isForRecord = false
        /// The start of the motion that caused the check; the check continues as long as this motion lasts.
        var motionBegan: Instant?

        /// Whether motion caused the check.
        var isForMotion: Bool { motionBegan != nil }
    }

    /// The purpose of the check.
    private(set) var purpose: Purpose
    /// When the check ends without a result.
    private(set) var deadline: Instant
    /// When the check found its first fix, good enough or not; nil before that.
    private(set) var foundAt: Instant?
    private var gate: AccuracyGate

    /// Begins a check.
    init(_ purpose: Purpose, until deadline: Instant, _ context: Context) {
        self.purpose = purpose
        self.deadline = deadline
        gate = AccuracyGate(context.options)
        gate.close(at: context.now)
    }

    /// Makes the check also record a fix.
    mutating func askForRecord() { purpose.isForRecord = true }

    /// Makes the check also confirm motion; fixes from before the motion do not count.
    mutating func restart(_ purpose: Purpose, until deadline: Instant) {
        self.purpose = purpose
        self.deadline = deadline
        foundAt = nil
    }

    /// Whether the check has found a fix, good enough or not.
    var hasFix: Bool { foundAt != nil }

    /// Stores that a fix has come.
    mutating func noteFix(at now: Instant) { foundAt = foundAt ?? now }

    /// Handles a fix of the parked vehicle; returns the fix to record; nil while no fix is good enough.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> AcceptedFix? {
        guard let good = gate.pass(fix, at: now).last else { return nil }
        purpose.isForRecord = false
        return good
    }

    /// The best fix so far that was not good enough to record.
    var secondBest: AcceptedFix? { gate.secondBest }
}
