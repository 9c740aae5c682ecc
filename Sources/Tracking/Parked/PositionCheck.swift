import Quantities

/// The receiver is on, while the vehicle is parked, to find out where the vehicle is.
///
/// It happens once after each start of the program, since nobody knows what happened in the meantime; regularly where no
/// accelerometer could report a start; each `desiredStoppedUpdateInterval`, for a record; and to confirm motion.
struct PositionCheck: Sendable, Hashable {
    /// What a check is for beside the question whether the vehicle is still there.
    struct Purpose: Sendable, Hashable {
        /// Whether its fix becomes a record.
        var isForRecord = false
        /// When the motion began that asked for it; the check then goes on as long as the motion lasts.
        var motionBegan: Instant?

        /// Whether motion asked for it.
        var isForMotion: Bool { motionBegan != nil }
    }

    /// What it is for.
    private(set) var purpose: Purpose
    /// When it is given up.
    private(set) var deadline: Instant
    /// Whether it has found a fix, good enough or not.
    private(set) var hasFix = false
    private var gate: AccuracyGate

    /// Begins a check.
    init(_ purpose: Purpose, until deadline: Instant, _ context: Context) {
        self.purpose = purpose
        self.deadline = deadline
        gate = AccuracyGate(context.options)
        gate.close(at: context.now)
    }

    /// Makes it a check that ends in a record too.
    mutating func askForRecord() { purpose.isForRecord = true }

    /// Makes it a check of motion: motion asks anew where the vehicle is, and what was seen before does not count.
    mutating func restart(_ purpose: Purpose, until deadline: Instant) {
        self.purpose = purpose
        self.deadline = deadline
        hasFix = false
    }

    /// Notes that a fix has come.
    mutating func noteFix() { hasFix = true }

    /// Takes a fix of the parked vehicle in; returns the one to record, if this check is for a record.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> AcceptedFix? {
        guard let good = gate.pass(fix, at: now).last else { return nil }
        purpose.isForRecord = false
        return good
    }

    /// The best fix that was not good enough to be recorded.
    var secondBest: AcceptedFix? { gate.secondBest }
}
