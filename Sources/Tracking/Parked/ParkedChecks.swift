//  The position checks of a parked vehicle.

import Quantities
import TrackingOptions

extension ParkedState {
    /// Begins a position check, or adds a purpose to the check that is under way.
    ///
    /// If the options keep the receiver off, the function has no effect.
    mutating func begin(_ wanted: PositionCheck.Purpose, _ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.options.powersReceiver else { return }
        let deadline =
            turn.now
            + Acquisition.timeout(
                turn.options.fixTimeout, isCold: !equipment.logbook.isParkedPlaceKnown, failures: failedChecks)
        switch activity {
        case .checkingPosition(var check, let motionUntil):
            if wanted.isForRecord { check.askForRecord() }
            guard wanted.isForMotion, !check.purpose.isForMotion else {
                activity = .checkingPosition(check, motionUntil: motionUntil)
                return
            }
            check.restart(
                .init(isForRecord: check.purpose.isForRecord, motionBegan: wanted.motionBegan), until: deadline)
            activity = .checkingPosition(check, motionUntil: motionUntil)
        case .asleep, .confirmingMotion:
            departure = DepartureRule(turn.options)
            let check = PositionCheck(wanted, until: deadline, turn)
            activity = .checkingPosition(check, motionUntil: motionUntil)
        }
        equipment.want(receiver: true, in: &turn)
        turn.effects.arm(.fixTimeout, at: deadline)
    }

    /// Handles a fix; returns a departure if the fix shows one.
    mutating func take(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        if case .checkingPosition(var check, let motionUntil) = activity {
            check.noteFix(at: turn.now)
            activity = .checkingPosition(check, motionUntil: motionUntil)
        }
        let parked = equipment.logbook.parked
        let began = check?.purpose.motionBegan
        let left = mayDrive(since: began, turn)
        let unseen = unseenMove(to: fix, from: parked, since: left, turn)
        // Where it stands at the start of the program, it was moved before; only a moving vehicle may have left just now.
        let wasMoved = unseen ?? (watch.isNew ? unseenMove(to: fix, from: parked, since: turn.now, turn) : nil)
        let verdict = departure.judge(
            fix, parkedAt: parked, isUnseenMove: wasMoved != nil, sightings: sightings, at: turn.now)
        switch verdict {
        case .moving(let reason):
            // While motion has not lasted long enough, fixes alone do not start a trip.
            isDepartureHeldBack = motion.isPending(at: turn.now)
            guard !isDepartureHeldBack else { return nil }
            if gate.delays(since: check?.purpose.motionBegan ?? turn.now, turn) {
                endCheck(because: StartGate.reason, &equipment, in: &turn)
                return nil
            }
            if let unseen {
                let reason = "moved unseen: the vehicle is \(Int(unseen.value)) m from where it was parked"
                return .depart(Departure(reason: reason, fix: fix, began: began, isUnseen: true))
            }
            return .depart(
                Departure(reason, shownBy: fix, from: parked, lastSeen: sightings.last, motionBegan: began))
        case .undecided:
            return nil
        case .parkedElsewhere(let position):
            park(at: position, fix, isUnseenMove: wasMoved != nil, &equipment, in: &turn)
            notePlace(fix, &equipment, in: &turn)
            return nil
        case .parked:
            notePlace(fix, &equipment, in: &turn)
            return nil
        }
    }

    private func unseenMove(to fix: AcceptedFix, from parked: Position?, since left: Instant, _ turn: Turn) -> Metres? {
        guard let parked, !parked.isVague else { return nil }
        return UnseenMove.distance(to: fix, from: parked, since: left, at: turn.now)
    }

    /// Moves the parked place to the position at which the vehicle now stands.
    private mutating func park(
        at position: Position, _ fix: AcceptedFix, isUnseenMove: Bool, _ equipment: inout Equipment, in turn: inout Turn
    ) {
        let distance = equipment.logbook.parked?.coordinate.distance(to: position.coordinate) ?? .zero
        if isUnseenMove { sightings = ParkedSightings() } else { sightings.addCorrection(of: distance) }
        departure = DepartureRule(turn.options)
        let trigger: Record.Trigger? = isUnseenMove ? .movedUnseen : nil
        equipment.logbook.park(at: position, fix.time, trigger: trigger, in: &turn)
        turn.effects.decide(
            .stop, "the vehicle stands \(Int(distance.value)) m from where it was parked; parked there from now on")
    }

    private mutating func notePlace(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        failedChecks = 0
        isDepartureHeldBack = false
        watch.look(isSeen: true, at: turn.now)
        let parked = equipment.logbook.parked
        if !fix.provesMovement { sightings.add(fix, near: parked, at: turn.now) }
        if parked.map({ $0.isVague && fix.position.error < $0.error }) ?? true {
            equipment.logbook.find(at: fix, in: &turn)
        }
        record(fix, &equipment, in: &turn)
        endCheckIfDone(&equipment, in: &turn)
    }

    private mutating func record(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        if case .checkingPosition(var check, let motionUntil) = activity, check.purpose.isForRecord {
            if let good = check.record(fix, at: turn.now) { equipment.logbook.keep(good, in: &turn) }
            activity = .checkingPosition(check, motionUntil: motionUntil)
            return
        }
        // The fix was not requested for a record, so record it only if the options allow such fixes.
        let interval = turn.options.fastestStoppedUpdateInterval
        let last = equipment.logbook.lastRecorded
        guard interval > .zero || turn.options.usePassiveFixes,
            last.map({ fix.time > $0.time && fix.time - $0.time >= interval }) ?? true
        else { return }
        equipment.logbook.keep(fix, in: &turn)
    }

    private mutating func endCheckIfDone(_ equipment: inout Equipment, in turn: inout Turn) {
        guard let check, !check.purpose.isForRecord else { return }
        if check.purpose.isForMotion {
            let isWatched = check.foundAt.map { turn.now - $0 >= ShakenPlace.watch } ?? false
            guard !motion.isRecent(at: turn.now) || turn.isPlaceShaken && isWatched else { return }
            shaken.noteCheck(at: turn.now)
        }
        endCheck(because: "the vehicle is where it was parked", &equipment, in: &turn)
    }

    /// Ends a check when its time is over; returns a departure if motion continues and no fix has arrived.
    mutating func timedOut(_ check: PositionCheck, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        guard turn.now >= check.deadline else { return nil }
        failedChecks += 1
        if check.purpose.isForMotion, !check.hasFix, motion.isRecent(at: turn.now) {
            return .depart(Departure(reason: "motion lasts, and no fix shows where the vehicle is", cause: .motion))
        }
        if check.purpose.isForRecord {
            if let best = check.secondBest {
                equipment.logbook.keep(best, in: &turn)
            } else {
                equipment.note(provider: .noFix, in: &turn)
            }
        }
        let span = Int(turn.options.fixTimeout.inSeconds)
        endCheck(because: "no fix within \(span) s shows where the vehicle is", &equipment, in: &turn)
        return nil
    }

    private mutating func endCheck(because reason: String, _ equipment: inout Equipment, in turn: inout Turn) {
        watch.look(isSeen: false, at: turn.now)
        // Unconfirmed motion keeps the receiver on.
        if case .checkingPosition(_, let until?) = activity {
            activity = .confirmingMotion(until: until)
            turn.effects.arm(.fixTimeout, at: until)
        } else {
            activity = .asleep
            turn.effects.cancel(.fixTimeout)
            turn.effects.decide(.receiver, "off: \(reason)")
            equipment.want(receiver: false, in: &turn)
            updateSensor(into: &turn.effects)
        }
        armCheck(equipment.logbook, in: &turn)
    }
}
