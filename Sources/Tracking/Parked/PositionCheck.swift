import Quantities

/// A check of the position of a parked vehicle, during which the receiver is on.
///
/// A check runs once after each start of the program or of tracking, because the vehicle may have moved before the
/// start. Checks run regularly if no accelerometer can report a start, if the parked place is unknown, or if
/// `parkedCheckInterval` is set. Further checks record a position once per `desiredStoppedUpdateInterval`, or confirm
/// motion.
struct PositionCheck: Sendable, Hashable {
    /// The further purposes of a check; each check also determines whether the vehicle is still parked.
    struct Purpose: Sendable, Hashable {
        /// Whether the fix of the check becomes a record.
        var isForRecord = false
        /// The start of the motion that caused the check; nil if motion did not cause it.
        ///
        /// The check continues as long as this motion lasts, but not beyond its deadline. At a place where a start was
        /// false, it continues for at most `ShakenPlace.watch` after its first fix.
        var motionBegan: Instant?

        var isForMotion: Bool { motionBegan != nil }
    }

    private(set) var purpose: Purpose
    /// When the check ends without a result.
    private(set) var deadline: Instant
    /// When the first fix since the start or restart of the check arrived, accurate enough or not; nil before that fix.
    private(set) var foundAt: Instant?
    private var gate: AccuracyGate

    init(_ purpose: Purpose, until deadline: Instant, _ turn: Turn) {
        self.purpose = purpose
        self.deadline = deadline
        gate = AccuracyGate(turn.options)
        gate.close(at: turn.now)
    }

    /// Adds the purpose of a record to the check.
    mutating func askForRecord() { purpose.isForRecord = true }

    /// Restarts the check with the purpose to confirm motion; fixes from before the motion do not count.
    mutating func restart(_ purpose: Purpose, until deadline: Instant) {
        self.purpose = purpose
        self.deadline = deadline
        foundAt = nil
    }

    /// Whether any fix, accurate or not, has arrived during the check.
    var hasFix: Bool { foundAt != nil }

    /// Notes that a fix has arrived.
    mutating func noteFix(at now: Instant) { foundAt = foundAt ?? now }

    /// Handles a fix of the parked vehicle; returns the fix to record, or nil while the gate waits for a better fix.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> AcceptedFix? {
        guard let good = gate.pass(fix, at: now).last else { return nil }
        purpose.isForRecord = false
        return good
    }

    /// The best fix so far that was not accurate enough to record; nil if there is none.
    var secondBest: AcceptedFix? { gate.secondBest }
}
