import Quantities

/// A search for fixes, during which the receiver is on. A check runs once after each start of the program or of
/// tracking, because the vehicle may have moved before. Checks run regularly if no accelerometer can report a start, if
/// the parked place is unknown, or if `parkedCheckInterval` is set. Others record a position once per
/// `desiredStoppedUpdateInterval`, or confirm motion.
struct PositionCheck: Sendable, Hashable {
    /// Each check also determines whether the vehicle is still parked.
    struct Purpose: Sendable, Hashable {
        var isForRecord = false
        /// True if a shock caused the check, which ends soon where there is no sky.
        var isBrief = false
        /// Nil if motion did not cause the check. The check goes on while this motion lasts, but not beyond its
        /// deadline; at a place where a start was false, at most `CheckLimit.watch` beyond its first fix.
        var motionBegan: Instant?

        var isForMotion: Bool { motionBegan != nil }
    }

    private(set) var purpose: Purpose
    private(set) var deadline: Instant
    /// When the first fix since the start or restart arrived, accurate enough or not.
    private(set) var foundAt: Instant?
    private(set) var isExtended = false
    private var gate: AccuracyGate

    init(_ purpose: Purpose, until deadline: Instant, _ turn: Turn) {
        self.purpose = purpose
        self.deadline = deadline
        gate = AccuracyGate(turn.options)
        gate.close(at: turn.now)
    }

    mutating func askForRecord() { purpose.isForRecord = true }

    /// Fixes from before the motion do not count.
    mutating func restart(_ purpose: Purpose, until deadline: Instant) {
        self.purpose = purpose
        self.deadline = deadline
        foundAt = nil
    }

    mutating func extend(until deadline: Instant) { (self.deadline, isExtended) = (deadline, true) }

    var hasFix: Bool { foundAt != nil }

    mutating func noteFix(at now: Instant) { foundAt = foundAt ?? now }

    /// Nil while the gate waits for a better fix.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> AcceptedFix? {
        guard gate.pass(fix, at: now) else { return nil }
        purpose.isForRecord = false
        return fix
    }

    var secondBest: AcceptedFix? { gate.secondBest }
}

enum ParkedActivity: Sendable {
    /// The state waits for motion, for the ignition or for a timer.
    case asleep
    /// Motion has not lasted long enough yet; the receiver warms up until `until`.
    case confirmingMotion(until: Instant)
    /// Unconfirmed motion keeps the receiver on until `motionUntil`, even after the check.
    case checkingPosition(PositionCheck, motionUntil: Instant?)

    var check: PositionCheck? {
        if case .checkingPosition(let check, _) = self { check } else { nil }
    }

    /// Nil if no warm-up for unconfirmed motion is under way.
    var motionUntil: Instant? {
        switch self {
        case .asleep: nil
        case .confirmingMotion(let until): until
        case .checkingPosition(_, let until): until
        }
    }

    mutating func endWarmUp() {
        switch self {
        case .asleep: break
        case .confirmingMotion: self = .asleep
        case .checkingPosition(let check, _): self = .checkingPosition(check, motionUntil: nil)
        }
    }

    /// A check under way gets the purpose too; returns whether the receiver must search until `deadline`.
    mutating func begin(_ wanted: PositionCheck.Purpose, until deadline: Instant, _ turn: Turn) -> Bool {
        guard var check else {
            self = .checkingPosition(PositionCheck(wanted, until: deadline, turn), motionUntil: motionUntil)
            return true
        }
        if wanted.isForRecord { check.askForRecord() }
        let isLonger = check.purpose.isBrief && !wanted.isBrief
        let isRestart = wanted.isForMotion && !check.purpose.isForMotion || isLonger
        if isRestart {
            check.restart(
                .init(isForRecord: check.purpose.isForRecord, motionBegan: wanted.motionBegan), until: deadline)
        }
        self = .checkingPosition(check, motionUntil: motionUntil)
        return isRestart
    }

    mutating func extend(until deadline: Instant) {
        guard var check else { return }
        check.extend(until: deadline)
        self = .checkingPosition(check, motionUntil: motionUntil)
    }

    mutating func noteFix(at now: Instant) -> PositionCheck? {
        guard var check else { return nil }
        check.noteFix(at: now)
        self = .checkingPosition(check, motionUntil: motionUntil)
        return check
    }

    /// The fix to record; empty while the check waits for a better one, and nil without a check for a record.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> [AcceptedFix]? {
        guard var check, check.purpose.isForRecord else { return nil }
        let good = check.record(fix, at: now)
        self = .checkingPosition(check, motionUntil: motionUntil)
        return good.map { [$0] } ?? []
    }
}
