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

    mutating func askForRecord() { purpose.isForRecord = true }

    /// Restarts the check with the purpose to confirm motion; fixes from before the motion do not count.
    mutating func restart(_ purpose: Purpose, until deadline: Instant) {
        self.purpose = purpose
        self.deadline = deadline
        foundAt = nil
    }

    /// Whether any fix, accurate or not, has arrived during the check.
    var hasFix: Bool { foundAt != nil }

    mutating func noteFix(at now: Instant) { foundAt = foundAt ?? now }

    /// Handles a fix of the parked vehicle; returns the fix to record, or nil while the gate waits for a better fix.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> AcceptedFix? {
        guard gate.pass(fix, at: now) else { return nil }
        purpose.isForRecord = false
        return fix
    }

    /// The best fix so far that was not accurate enough to record; nil if there is none.
    var secondBest: AcceptedFix? { gate.secondBest }
}

/// What the receiver of a parked vehicle does.
enum ParkedActivity: Sendable {
    /// The state waits for motion, for the ignition or for a timer.
    case asleep
    /// Motion has begun but has not lasted long enough; the receiver warms up until `until`.
    case confirmingMotion(until: Instant)
    /// The receiver searches for the vehicle's position; unconfirmed motion keeps the receiver on until `motionUntil`.
    case checkingPosition(PositionCheck, motionUntil: Instant?)

    var check: PositionCheck? {
        if case .checkingPosition(let check, _) = self { check } else { nil }
    }

    /// When the warm-up for unconfirmed motion ends; nil if no warm-up is under way.
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

    /// Begins a check, or adds a purpose to the check under way; returns whether the receiver must search until `deadline`.
    mutating func begin(_ wanted: PositionCheck.Purpose, until deadline: Instant, _ turn: Turn) -> Bool {
        guard var check else {
            self = .checkingPosition(PositionCheck(wanted, until: deadline, turn), motionUntil: motionUntil)
            return true
        }
        if wanted.isForRecord { check.askForRecord() }
        let isRestart = wanted.isForMotion && !check.purpose.isForMotion
        if isRestart {
            check.restart(
                .init(isForRecord: check.purpose.isForRecord, motionBegan: wanted.motionBegan), until: deadline)
        }
        self = .checkingPosition(check, motionUntil: motionUntil)
        return isRestart
    }

    /// Notes that a fix has arrived; returns the check under way, nil if there is none.
    mutating func noteFix(at now: Instant) -> PositionCheck? {
        guard var check else { return nil }
        check.noteFix(at: now)
        self = .checkingPosition(check, motionUntil: motionUntil)
        return check
    }

    /// Passes a fix to a check for a record; returns nil without such a check, and no fix while it waits for a better one.
    mutating func record(_ fix: AcceptedFix, at now: Instant) -> [AcceptedFix]? {
        guard var check, check.purpose.isForRecord else { return nil }
        let good = check.record(fix, at: now)
        self = .checkingPosition(check, motionUntil: motionUntil)
        return good.map { [$0] } ?? []
    }
}
