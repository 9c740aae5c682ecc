import Motion
import TrackingOptions
import Quantities

/// The receiver is off between position checks; the accelerometer, the ignition, a check or a command starts a trip.
struct ParkedState: Sendable {
    /// The pause between checks while no accelerometer can report a start, or while an engine idles. It does not grow
    /// where no sky is in view, so that a fix soon shows a vehicle that drives out.
    private static let pause = Duration.seconds(30)
    /// The pause between two searches for an unknown parked place, if an accelerometer can report a start.
    private static let searches = Backoff(first: .seconds(600), longest: .seconds(86_400))
    private var activity = ParkedActivity.asleep
    private var idling = IdlingEngine(isRunning: false)
    private var motion: MotionConfirmation
    private var evidence: ParkedEvidence
    private var gate = StartGate()
    private var shaken = CheckLimit(.shakenPlace)
    private var shocks = CheckLimit(.shocks)
    private var failedChecks = 0
    /// True if a fix has shown a departure, but motion has not lasted long enough yet.
    private var isDepartureHeldBack = false
    /// Whether the accelerometer streams; otherwise it only wakes the program.
    private var isStreaming = false

    init(_ options: TrackingOptions, at now: Instant) { self.init(options, ParkedWatch(startedAt: now)) }

    private init(_ options: TrackingOptions, _ watch: ParkedWatch) {
        motion = MotionConfirmation(delay: options.motionTriggerDelay)
        evidence = ParkedEvidence(options, watch)
    }

    /// Without a known place, the receiver searches again after growing pauses.
    init(after arrival: Arrival, isPlaceSeen: Bool, _ options: TrackingOptions, at now: Instant) {
        // A vehicle whose fixes only ended may stand in a garage, or still drive in a long tunnel.
        self.init(options, ParkedWatch(after: arrival.silence ?? .zero, isSeen: arrival.silence == nil, at: now))
        if !arrival.isFalseStart { gate = StartGate(stopped: now) }
        idling = IdlingEngine(isRunning: arrival.isShaking)
        isStreaming = arrival.isShaking
        failedChecks = isPlaceSeen ? 0 : 1
    }

    func enter(_ logbook: Logbook, in turn: inout Turn) {
        turn.effects.append(.motionSensor(isStreaming: idling.isRunning))
        armCheck(logbook, in: &turn)
        armUpdate(in: &turn)
        armHeartbeat(in: &turn)
    }

    mutating func handle(_ event: VehicleEvent, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        switch event {
        case .started:
            start(&equipment, in: &turn)
            return nil
        case .timer(let kind):
            return handle(kind, &equipment, in: &turn)
        case .fix(let fix):
            return take(fix, &equipment, in: &turn)
        case .motion(let verdict):
            let isUnusual = verdict.deviation.flatMap { deviation in turn.shockLevel.map { deviation >= $0 } } ?? false
            let isShock = verdict.isActive || isUnusual
            if isShock, !idling.isRunning, turn.isMotionStrong { evidence.feel(at: turn.now) }
            if isShock, !verdict.isMoving { checkShock(&equipment, in: &turn) }
            return take(isMoving: verdict.isMoving, since: verdict.onset, &equipment, in: &turn)
        case .motionSensor:
            if activity.check == nil { armCheck(equipment.logbook, in: &turn) }
            return nil
        case .ignition(isOn: true):
            return .depart(Departure(reason: "the ignition is on"))
        case .move:
            return .depart(Departure(reason: "by command"))
        case .stay, .ignition(isOn: false):
            return nil
        }
    }

    private mutating func handle(_ timer: VehicleTimer, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        switch timer {
        case .parked(.check):
            begin(PositionCheck.Purpose(motionBegan: gate.release()), &equipment, in: &turn)
            updateSensor(into: &turn.effects)
        case .parked(.update):
            begin(PositionCheck.Purpose(isForRecord: true), &equipment, in: &turn)
            armUpdate(in: &turn)
        case .parked(.heartbeat):
            equipment.logbook.record(.ping, in: &turn)
            armHeartbeat(in: &turn)
        case .fixTimeout:
            switch activity {
            case .asleep: break
            case .confirmingMotion(let until): warmUpTimedOut(until, &equipment, in: &turn)
            case .checkingPosition(let check, _): return timedOut(check, &equipment, in: &turn)
            }
        case .moving:
            break
        }
        return nil
    }

    private func armUpdate(in turn: inout Turn) {
        let interval = turn.options.desiredStoppedUpdateInterval
        if interval > .zero { turn.effects.arm(.update, at: turn.now + interval) }
    }

    private func armHeartbeat(in turn: inout Turn) {
        let interval = turn.options.heartbeatInterval
        if interval > .zero { turn.effects.arm(.heartbeat, at: turn.now + interval) }
    }

    private mutating func start(_ equipment: inout Equipment, in turn: inout Turn) {
        self = ParkedState(turn.options, at: turn.now)
        turn.effects.append(.motionSensor(isStreaming: false))
        begin(PositionCheck.Purpose(), &equipment, in: &turn)
        armUpdate(in: &turn)
        armHeartbeat(in: &turn)
    }

    /// Restarts a check under way; begins one if the place is unknown and the old options kept the receiver off.
    mutating func optionsChanged(from old: TrackingOptions, _ equipment: inout Equipment, in turn: inout Turn) {
        var purpose = activity.check?.purpose
        if purpose == nil, !equipment.logbook.isParkedPlaceKnown, !old.powersReceiver {
            purpose = PositionCheck.Purpose()
        }
        if purpose == nil || !turn.options.powersReceiver { equipment.want(receiver: false, in: &turn) }
        activity = .asleep
        motion = MotionConfirmation(delay: turn.options.motionTriggerDelay)
        evidence.restart(turn.options)
        isStreaming = idling.isRunning
        enter(equipment.logbook, in: &turn)
        if let purpose { begin(purpose, &equipment, in: &turn) }
        updateSensor(into: &turn.effects)
    }

    func mayDrive(since motionBegan: Instant?, _ turn: Turn) -> Instant {
        evidence.mayDrive(since: motionBegan, canFeel: turn.hasMotionSensor && !idling.isRunning, at: turn.now)
    }

    // MARK: Motion

    private mutating func take(isMoving: Bool, since onset: Instant?, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        guard !idling.isRunning else {
            if idling.hasEnded(isMoving: isMoving, at: turn.now) {
                updateSensor(into: &turn.effects)
                armCheck(equipment.logbook, in: &turn)
            }
            return nil
        }
        let began = motion.began(isMoving: isMoving, onset: onset, at: turn.now)
        guard let began, motion.isOver(at: turn.now) else {
            if motion.isWaiting {
                warmUp(&equipment, in: &turn)
            } else {
                coolDown(&equipment, in: &turn)
            }
            return nil
        }
        if gate.delays(since: began, turn) {
            armCheck(equipment.logbook, in: &turn)
            coolDown(because: StartGate.reason, &equipment, in: &turn)
            return nil
        }
        let isChecked = turn.options.startCircle != nil || turn.isPlaceShaken
        guard isChecked, turn.options.powersReceiver else {
            return .depart(Departure(reason: "the accelerometer shows motion", cause: .motion, began: began))
        }
        let mayCheck = !turn.isPlaceShaken || shaken.mayCheck(isStrong: turn.isMotionStrong, at: turn.now)
        guard activity.check != nil || mayCheck else {
            ignoreMotion(&equipment, in: &turn)
            return nil
        }
        activity.endWarmUp()
        begin(PositionCheck.Purpose(motionBegan: began), &equipment, in: &turn)
        updateSensor(into: &turn.effects)
        return nil
    }

    /// A single second of motion may be a door, or a start at walking pace: the fixes show which.
    private mutating func checkShock(_ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.options.motionTriggerDelay == .zero, !idling.isRunning, !turn.isPlaceShaken, activity.check == nil,
            shocks.mayCheck(at: turn.now)
        else { return }
        begin(PositionCheck.Purpose(isBrief: true), &equipment, in: &turn)
    }

    /// The receiver warms up while motion is unconfirmed, so that the track has the first metres of a trip.
    private mutating func warmUp(_ equipment: inout Equipment, in turn: inout Turn) {
        let until = turn.now + turn.options.fixTimeout
        switch activity {
        case .confirmingMotion, .checkingPosition(_, .some): break
        case .checkingPosition(let check, nil):
            activity = .checkingPosition(check, motionUntil: until)
            updateSensor(into: &turn.effects)
        case .asleep:
            activity = .confirmingMotion(until: until)
            updateSensor(into: &turn.effects)
            if turn.options.powersReceiver { equipment.want(receiver: true, in: &turn) }
            turn.effects.arm(.fixTimeout, at: until)
        }
    }

    private mutating func coolDown(because reason: String? = nil, _ equipment: inout Equipment, in turn: inout Turn) {
        guard activity.motionUntil != nil else { return }
        activity.endWarmUp()
        updateSensor(into: &turn.effects)
        if activity.check == nil {
            turn.effects.cancel(.fixTimeout)
            equipment.want(receiver: false, in: &turn)
        }
        let span = Int(turn.options.motionTriggerDelay.inSeconds)
        turn.effects.decide(.start, reason ?? "not yet: motion was shorter than \(span) s")
        guard isDepartureHeldBack, activity.check == nil else { return }
        isDepartureHeldBack = false
        begin(PositionCheck.Purpose(), &equipment, in: &turn)
    }

    /// A recent position check has found the vehicle parked in spite of the motion.
    private mutating func ignoreMotion(_ equipment: inout Equipment, in turn: inout Turn) {
        guard activity.motionUntil != nil else { return }
        activity.endWarmUp()
        updateSensor(into: &turn.effects)
        turn.effects.cancel(.fixTimeout)
        equipment.want(receiver: false, in: &turn)
    }

    /// The accelerometer may have stopped reporting, so the warm-up goes on only after recent motion.
    private mutating func warmUpTimedOut(_ until: Instant, _ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.now >= until else { return }
        guard motion.isRecent(at: turn.now) else { return coolDown(&equipment, in: &turn) }
        let next = turn.now + turn.options.fixTimeout
        activity = .confirmingMotion(until: next)
        turn.effects.arm(.fixTimeout, at: next)
    }

    /// The accelerometer streams only while a rule must evaluate how long motion lasts.
    private mutating func updateSensor(into effects: inout EffectBuffer) {
        let isNeeded = idling.isRunning || activity.motionUntil != nil || activity.check?.purpose.isForMotion ?? false
        guard isNeeded != isStreaming else { return }
        isStreaming = isNeeded
        effects.append(.motionSensor(isStreaming: isNeeded))
    }

    // MARK: Position checks

    private mutating func begin(_ wanted: PositionCheck.Purpose, _ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.options.powersReceiver else { return }
        let isCold = !equipment.logbook.isParkedPlaceKnown
        let usual = Acquisition.timeout(turn.options.fixTimeout, isCold: isCold, failures: failedChecks)
        let deadline = turn.now + (wanted.isBrief ? min(usual, Self.pause) : usual)
        if activity.check == nil { evidence.restart(turn.options) }
        guard activity.begin(wanted, until: deadline, turn) else { return }
        equipment.want(receiver: true, in: &turn)
        turn.effects.arm(.fixTimeout, at: deadline)
    }

    private mutating func take(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        let began = activity.noteFix(at: turn.now)?.purpose.motionBegan
        let finding = evidence.judge(
            fix, parkedAt: equipment.logbook.parked, motionBegan: began, mayDriveSince: mayDrive(since: began, turn),
            at: turn.now)
        switch finding {
        case .departed(let departure):
            // While motion is unconfirmed, fixes alone do not start a trip.
            isDepartureHeldBack = motion.isPending(at: turn.now)
            guard !isDepartureHeldBack else { return nil }
            guard gate.delays(since: began ?? turn.now, turn) else { return .depart(departure) }
            endCheck(because: StartGate.reason, &equipment, in: &turn)
        case .undecided: break
        case .parkedElsewhere(let position, let isUnseenMove):
            park(at: position, fix, isUnseenMove: isUnseenMove, &equipment, in: &turn)
            notePlace(fix, &equipment, in: &turn)
        case .parked: notePlace(fix, &equipment, in: &turn)
        }
        return nil
    }

    private mutating func park(
        at position: Position, _ fix: AcceptedFix, isUnseenMove: Bool, _ equipment: inout Equipment, in turn: inout Turn
    ) {
        let distance = equipment.logbook.parked?.coordinate.distance(to: position.coordinate) ?? .zero
        evidence.placeMoved(by: distance, isUnseenMove: isUnseenMove, turn.options)
        let trigger: Record.Trigger? = isUnseenMove ? .movedUnseen : nil
        equipment.logbook.park(at: position, fix.time, trigger: trigger, in: &turn)
        turn.effects.decide(
            .stop, "the vehicle stands \(Int(distance.value)) m from where it was parked; parked there from now on")
    }

    private mutating func notePlace(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        failedChecks = 0
        isDepartureHeldBack = false
        let parked = equipment.logbook.parked
        evidence.confirm(fix, near: parked, at: turn.now)
        if parked.map({ $0.isVague && fix.position.error < $0.error }) ?? true {
            equipment.logbook.find(at: fix, in: &turn)
        }
        record(fix, &equipment, in: &turn)
        endCheckIfDone(&equipment, in: &turn)
    }

    private mutating func record(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        if let good = activity.record(fix, at: turn.now) {
            for fix in good { equipment.logbook.keep(fix, in: &turn) }
            return
        }
        // Nobody requested this fix for a record, so it becomes one only if the options allow that.
        let interval = turn.options.fastestStoppedUpdateInterval
        let last = equipment.logbook.lastRecorded
        guard interval > .zero || turn.options.usePassiveFixes,
            last.map({ fix.time > $0.time && fix.time - $0.time >= interval }) ?? true
        else { return }
        equipment.logbook.keep(fix, in: &turn)
    }

    private mutating func endCheckIfDone(_ equipment: inout Equipment, in turn: inout Turn) {
        guard let check = activity.check, !check.purpose.isForRecord else { return }
        if check.purpose.isForMotion {
            let isWatched = check.foundAt.map { turn.now - $0 >= CheckLimit.watch } ?? false
            guard !motion.isRecent(at: turn.now) || turn.isPlaceShaken && isWatched else { return }
            shaken.noteCheck(at: turn.now)
        }
        endCheck(because: "the vehicle is where it was parked", &equipment, in: &turn)
    }

    private mutating func timedOut(_ check: PositionCheck, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        guard turn.now >= check.deadline else { return nil }
        // A logger's fixes are up to a minute apart, so the second one, which decides, may be due only now.
        let mayExtend = !check.isExtended && !check.purpose.isForRecord && !check.purpose.isBrief
        if mayExtend, check.hasFix || equipment.receiver.isDoubting(at: turn.now) {
            let deadline = check.deadline + turn.options.fixTimeout
            guard turn.now < deadline else { return expired(check, &equipment, in: &turn) }
            activity.extend(until: deadline)
            turn.effects.arm(.fixTimeout, at: deadline)
            return nil
        }
        return expired(check, &equipment, in: &turn)
    }

    private mutating func expired(_ check: PositionCheck, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        if !check.purpose.isBrief { failedChecks += 1 }
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
        evidence.checkEnded(at: turn.now)
        if activity.check?.purpose.isBrief ?? false { shocks.noteCheck(at: turn.now) }
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

    /// Motion, or a record that is due, may cause an earlier check.
    private func armCheck(_ logbook: Logbook, in turn: inout Turn) {
        if let opening = gate.opening(turn), gate.isDelaying { return turn.effects.arm(.check, at: opening) }
        guard turn.hasMotionSensor, !idling.isRunning else {
            return turn.effects.arm(.check, at: turn.now + Self.pause)
        }
        let isLost = !logbook.isParkedPlaceKnown && failedChecks > 0
        let search = isLost ? Self.searches.pause(afterFailures: failedChecks) : nil
        let interval = turn.options.parkedCheckInterval
        guard let pause = [search, interval > .zero ? interval : nil].compactMap({ $0 }).min() else {
            return turn.effects.cancel(.check)
        }
        turn.effects.arm(.check, at: turn.now + pause)
    }
}
