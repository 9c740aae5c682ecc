//  The position checks of a parked vehicle.

import Quantities
import TrackingOptions

extension ParkedState {
    /// Begins a position check, or adds a purpose to the check that is under way.
    ///
    /// If the options keep the receiver off, the function has no effect.
    mutating func begin(
        _ wanted: PositionCheck.Purpose, _ context: Context, _ equipment: inout Equipment,
        into effects: inout EffectBuffer
    ) {
        guard context.options.powersReceiver else { return }
        let deadline =
            context.now
            + Acquisition.timeout(
                context.options.fixTimeout, isCold: !equipment.logbook.isParkedPlaceKnown, failures: failedChecks)
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
            departure = DepartureRule(context.options)
            let check = PositionCheck(wanted, until: deadline, context)
            activity = .checkingPosition(check, motionUntil: motionUntil)
        }
        equipment.want(receiver: true, context, into: &effects)
        effects.arm(.fixTimeout, at: deadline)
    }

    /// Handles a fix; returns a departure if the fix shows one.
    mutating func take(
        _ fix: AcceptedFix, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        if case .checkingPosition(var check, let motionUntil) = activity {
            check.noteFix(at: context.now)
            activity = .checkingPosition(check, motionUntil: motionUntil)
        }
        let parked = equipment.logbook.parked
        let began = check?.purpose.motionBegan
        let left = mayDrive(since: began, context)
        let unseen = unseenMove(to: fix, from: parked, since: left, context)
        // Where it stands at the start of the program, it was moved before; only a moving vehicle may have left just now.
        let wasMoved = unseen ?? (watch.isNew ? unseenMove(to: fix, from: parked, since: context.now, context) : nil)
        let verdict = departure.judge(
            fix, parkedAt: parked, isUnseenMove: wasMoved != nil, sightings: sightings, at: context.now)
        switch verdict {
        case .moving(let reason):
            // While motion has not lasted long enough, fixes alone do not start a trip.
            isDepartureHeldBack = motion.isPending(at: context.now)
            guard !isDepartureHeldBack else { return nil }
            if gate.delays(since: check?.purpose.motionBegan ?? context.now, context) {
                endCheck(because: StartGate.reason, context, &equipment, into: &effects)
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
            park(at: position, fix, isUnseenMove: wasMoved != nil, context, &equipment, into: &effects)
            notePlace(fix, context, &equipment, into: &effects)
            return nil
        case .parked:
            notePlace(fix, context, &equipment, into: &effects)
            return nil
        }
    }

    private func unseenMove(
        to fix: AcceptedFix, from parked: Position?, since left: Instant, _ context: Context
    ) -> Metres? {
        guard let parked, !parked.isVague else { return nil }
        return UnseenMove.distance(to: fix, from: parked, since: left, at: context.now)
    }

    /// Moves the parked place to the position at which the vehicle now stands.
    private mutating func park(
        at position: Position, _ fix: AcceptedFix, isUnseenMove: Bool, _ context: Context,
        _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        let distance = equipment.logbook.parked?.coordinate.distance(to: position.coordinate) ?? .zero
        if isUnseenMove { sightings = ParkedSightings() } else { sightings.addCorrection(of: distance) }
        departure = DepartureRule(context.options)
        let trigger: Record.Trigger? = isUnseenMove ? .movedUnseen : nil
        equipment.logbook.park(at: position, fix.time, trigger: trigger, context, into: &effects)
        effects.decide(
            .stop, "the vehicle stands \(Int(distance.value)) m from where it was parked; parked there from now on")
    }

    private mutating func notePlace(
        _ fix: AcceptedFix, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        failedChecks = 0
        isDepartureHeldBack = false
        watch.look(isSeen: true, at: context.now)
        let parked = equipment.logbook.parked
        if !fix.provesMovement { sightings.add(fix, near: parked, at: context.now) }
        if parked.map({ $0.isVague && fix.position.error < $0.error }) ?? true {
            equipment.logbook.find(at: fix, context, into: &effects)
        }
        record(fix, context, &equipment, into: &effects)
        endCheckIfDone(context, &equipment, into: &effects)
    }

    private mutating func record(
        _ fix: AcceptedFix, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        if case .checkingPosition(var check, let motionUntil) = activity, check.purpose.isForRecord {
            if let good = check.record(fix, at: context.now) { equipment.logbook.keep(good, context, into: &effects) }
            activity = .checkingPosition(check, motionUntil: motionUntil)
            return
        }
        // The fix was not requested for a record, so record it only if the options allow such fixes.
        let interval = context.options.fastestStoppedUpdateInterval
        let last = equipment.logbook.lastRecorded
        guard interval > .zero || context.options.usePassiveFixes,
            last.map({ fix.time > $0.time && fix.time - $0.time >= interval }) ?? true
        else { return }
        equipment.logbook.keep(fix, context, into: &effects)
    }

    private mutating func endCheckIfDone(
        _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        guard let check, !check.purpose.isForRecord else { return }
        if check.purpose.isForMotion {
            let isWatched = check.foundAt.map { context.now - $0 >= ShakenPlace.watch } ?? false
            guard !motion.isRecent(at: context.now) || context.isPlaceShaken && isWatched else { return }
            shaken.noteCheck(at: context.now)
        }
        endCheck(because: "the vehicle is where it was parked", context, &equipment, into: &effects)
    }

    /// Ends a check when its time is over; returns a departure if motion continues and no fix has arrived.
    mutating func timedOut(
        _ check: PositionCheck, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        guard context.now >= check.deadline else { return nil }
        failedChecks += 1
        if check.purpose.isForMotion, !check.hasFix, motion.isRecent(at: context.now) {
            return .depart(Departure(reason: "motion lasts, and no fix shows where the vehicle is", cause: .motion))
        }
        if check.purpose.isForRecord {
            if let best = check.secondBest {
                equipment.logbook.keep(best, context, into: &effects)
            } else {
                equipment.note(provider: .noFix, context, into: &effects)
            }
        }
        let span = Int(context.options.fixTimeout.inSeconds)
        endCheck(
            because: "no fix within \(span) s shows where the vehicle is", context, &equipment, into: &effects)
        return nil
    }

    private mutating func endCheck(
        because reason: String, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        watch.look(isSeen: false, at: context.now)
        // Unconfirmed motion keeps the receiver on.
        if case .checkingPosition(_, let until?) = activity {
            activity = .confirmingMotion(until: until)
            effects.arm(.fixTimeout, at: until)
        } else {
            activity = .asleep
            effects.cancel(.fixTimeout)
            effects.decide(.receiver, "off: \(reason)")
            equipment.want(receiver: false, context, into: &effects)
            updateSensor(into: &effects)
        }
        armCheck(context, equipment.logbook, into: &effects)
    }
}
