import TrackingOptions
import Quantities

/// The state of a parked vehicle: the receiver is off, and the accelerometer, the ignition or a position check starts a trip.
struct ParkedState: Sendable {
    /// The time between two position checks without an accelerometer; it grows while checks find no fix.
    private static let checks = Backoff(first: .seconds(30), longest: .seconds(600))
    /// The time between two searches for an unknown place, with an accelerometer that reports a start.
    private static let searches = Backoff(first: .seconds(600), longest: .seconds(86_400))
    /// An idling engine has stopped when the vehicle has been still for this time; pauses in the vibration are shorter.
    private static let lull = Duration.seconds(10)

    /// The present activity.
    private enum Activity: Sendable {
        /// The state waits for motion, for the ignition or for a timer.
        case asleep
        /// Motion has begun but has not lasted long enough; the receiver warms up until that moment.
        case confirmingMotion(until: Instant)
        /// The receiver searches for the vehicle's position; unconfirmed motion keeps the receiver on until `motionUntil`.
        case checkingPosition(PositionCheck, motionUntil: Instant?)
    }

    /// Whether an idling engine shakes the accelerometer, so that motion does not show a start.
    private enum Idling: Sendable {
        case off
        case on(stillSince: Instant?)
    }

    /// When a fix last showed the vehicle at its parked place.
    private struct ParkedFix: Sendable {
        var time: Timestamp
        var moment: Instant
    }

    private var activity = Activity.asleep
    private var idling = Idling.off
    private var motion: MotionConfirmation
    private var departure: DepartureRule
    private var failedChecks = 0
    private var lastSeen: ParkedFix?
    /// Whether the accelerometer streams; if not, it only wakes the program.
    private var isStreaming = false

    /// Makes the state of a parked vehicle when the program starts.
    init(_ options: TrackingOptions) {
        motion = MotionConfirmation(delay: options.motionTriggerDelay)
        departure = DepartureRule(options)
    }

    /// Makes the state after a trip; if no fix has shown the place, the receiver continues to search from time to time.
    init(after arrival: Arrival, isPlaceSeen: Bool, _ options: TrackingOptions) {
        self.init(options)
        idling = arrival.isShaking ? .on(stillSince: nil) : .off
        isStreaming = arrival.isShaking
        failedChecks = isPlaceSeen ? 0 : 1
    }

    /// Enters the state after a trip.
    func enter(_ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer) {
        effects.append(.motionSensor(isStreaming: isIdling))
        armCheck(context, logbook, into: &effects)
        armUpdate(context, into: &effects)
        armHeartbeat(context, into: &effects)
    }

    /// Handles one event; returns a departure if the event shows one.
    mutating func handle(
        _ event: VehicleEvent, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        switch event {
        case .started:
            start(context, &equipment, into: &effects)
            return nil
        case .timer(let kind):
            return handle(kind, context, &equipment, into: &effects)
        case .fix(let fix):
            return take(fix, context, &equipment, into: &effects)
        case .motion(let isMoving):
            return take(isMoving: isMoving, context, &equipment, into: &effects)
        case .motionSensor:
            if check == nil { armCheck(context, equipment.logbook, into: &effects) }
            return nil
        case .ignition(isOn: true):
            return .depart(Departure(reason: "the ignition is on"))
        case .move:
            return .depart(Departure(reason: "by command"))
        case .stay, .ignition(isOn: false):
            return nil
        }
    }

    private mutating func handle(
        _ timer: TimerKind, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        switch timer {
        case .check:
            begin(PositionCheck.Purpose(), context, &equipment, into: &effects)
        case .update:
            begin(PositionCheck.Purpose(isForRecord: true), context, &equipment, into: &effects)
            armUpdate(context, into: &effects)
        case .heartbeat:
            equipment.record(.ping, context, into: &effects)
            armHeartbeat(context, into: &effects)
        case .fixTimeout:
            switch activity {
            case .asleep: break
            case .confirmingMotion(let until): warmUpTimedOut(until, context, &equipment, into: &effects)
            case .checkingPosition(let check, _): return timedOut(check, context, &equipment, into: &effects)
            }
        case .stillness, .silence, .acquire, .falseStart, .request, .health, .tripGap, .schedule, .beacons, .scan,
            .regions, .halt, .light, .condition, .holdUploads:
            break
        }
        return nil
    }

    /// Begins a position check after a start of the program or of tracking; earlier activities have ended.
    private mutating func start(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        self = ParkedState(context.options)
        effects.append(.motionSensor(isStreaming: false))
        begin(PositionCheck.Purpose(), context, &equipment, into: &effects)
        armUpdate(context, into: &effects)
        armHeartbeat(context, into: &effects)
    }

    /// Remains parked under other options; restarts a position check that is under way.
    mutating func optionsChanged(
        from old: TrackingOptions, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        var purpose = check?.purpose
        if purpose == nil, !equipment.logbook.isParkedPlaceKnown, !old.powersReceiver {
            purpose = PositionCheck.Purpose()
        }
        if purpose == nil || !context.options.powersReceiver {
            equipment.want(receiver: false, context, into: &effects)
        }
        activity = .asleep
        motion = MotionConfirmation(delay: context.options.motionTriggerDelay)
        departure = DepartureRule(context.options)
        isStreaming = isIdling
        enter(context, equipment.logbook, into: &effects)
        if let purpose { begin(purpose, context, &equipment, into: &effects) }
        updateSensor(into: &effects)
    }

    private var isIdling: Bool { if case .on = idling { true } else { false } }

    private var check: PositionCheck? {
        if case .checkingPosition(let check, _) = activity { check } else { nil }
    }

    /// When the warm-up for unconfirmed motion ends; nil if there is none.
    private var motionUntil: Instant? {
        switch activity {
        case .asleep: nil
        case .confirmingMotion(let until): until
        case .checkingPosition(_, let until): until
        }
    }
}

// MARK: - Motion

extension ParkedState {
    private mutating func take(
        isMoving: Bool, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        if case .on(let stillSince) = idling {
            endIdling(isMoving ? nil : stillSince ?? context.now, context, equipment.logbook, into: &effects)
            return nil
        }
        guard let began = motion.began(isMoving: isMoving, at: context.now), motion.isOver(at: context.now) else {
            if motion.isWaiting {
                warmUp(context, &equipment, into: &effects)
            } else {
                coolDown(context, &equipment, into: &effects)
            }
            return nil
        }
        guard context.options.useStoppedGeofence, context.options.powersReceiver else {
            return .depart(Departure(reason: "the accelerometer shows motion", cause: .motion, began: began))
        }
        endWarmUp()
        begin(PositionCheck.Purpose(motionBegan: began), context, &equipment, into: &effects)
        updateSensor(into: &effects)
        return nil
    }

    private mutating func endIdling(
        _ stillSince: Instant?, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard let since = stillSince, context.now - since >= Self.lull else {
            idling = .on(stillSince: stillSince)
            return
        }
        idling = .off
        updateSensor(into: &effects)
        armCheck(context, logbook, into: &effects)
    }

    /// Warms the receiver up while motion is unconfirmed, so that the track does not lose its first metres.
    private mutating func warmUp(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        let until = context.now + context.options.fixTimeout
        switch activity {
        case .confirmingMotion, .checkingPosition(_, .some): break
        case .checkingPosition(let check, nil):
            activity = .checkingPosition(check, motionUntil: until)
            updateSensor(into: &effects)
        case .asleep:
            activity = .confirmingMotion(until: until)
            updateSensor(into: &effects)
            if context.options.powersReceiver { equipment.want(receiver: true, context, into: &effects) }
            effects.arm(.fixTimeout, at: until)
        }
    }

    private mutating func coolDown(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        guard motionUntil != nil else { return }
        endWarmUp()
        updateSensor(into: &effects)
        if check == nil {
            effects.cancel(.fixTimeout)
            equipment.want(receiver: false, context, into: &effects)
        }
        let span = Int(context.options.motionTriggerDelay.inSeconds)
        effects.decide(.start, "not yet: motion was shorter than \(span) s")
    }

    private mutating func endWarmUp() {
        switch activity {
        case .asleep: break
        case .confirmingMotion: activity = .asleep
        case .checkingPosition(let check, _): activity = .checkingPosition(check, motionUntil: nil)
        }
    }

    /// Ends a warm-up without recent motion, because the accelerometer may have stopped reporting; else prolongs it.
    private mutating func warmUpTimedOut(
        _ until: Instant, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        guard context.now >= until else { return }
        guard motion.isRecent(at: context.now) else { return coolDown(context, &equipment, into: &effects) }
        let next = context.now + context.options.fixTimeout
        activity = .confirmingMotion(until: next)
        effects.arm(.fixTimeout, at: next)
    }

    /// Makes the accelerometer stream while the program must know whether motion lasts; else it only wakes the program.
    private mutating func updateSensor(into effects: inout EffectBuffer) {
        let isNeeded = isIdling || motionUntil != nil || check?.purpose.isForMotion ?? false
        guard isNeeded != isStreaming else { return }
        isStreaming = isNeeded
        effects.append(.motionSensor(isStreaming: isNeeded))
    }
}

// MARK: - Position checks

extension ParkedState {
    private mutating func begin(
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

    private mutating func take(
        _ fix: AcceptedFix, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) -> StateChange? {
        if case .checkingPosition(var check, let motionUntil) = activity {
            check.noteFix()
            activity = .checkingPosition(check, motionUntil: motionUntil)
        }
        switch departure.judge(fix, parkedAt: equipment.logbook.parked) {
        case .moving(let reason):
            // If the motion began after the last fix at the parked place, the vehicle left at that time.
            let began = check?.purpose.motionBegan
            let seen = lastSeen.flatMap { seen in began.map { $0 > seen.moment } ?? false ? nil : seen.time }
            return .depart(Departure(reason: reason, fix: fix, parkedUntil: seen, began: began))
        case .undecided:
            return nil
        case .parked:
            failedChecks = 0
            lastSeen = ParkedFix(time: fix.time, moment: context.now)
            let parked = equipment.logbook.parked
            if parked.map({ $0.isVague && fix.position.error < $0.error }) ?? true {
                equipment.logbook.find(at: fix)
            }
            record(fix, context, &equipment, into: &effects)
            endCheckIfDone(context, &equipment, into: &effects)
            return nil
        }
    }

    private mutating func record(
        _ fix: AcceptedFix, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        if case .checkingPosition(var check, let motionUntil) = activity, check.purpose.isForRecord {
            if let good = check.record(fix, at: context.now) { equipment.logbook.keep(good, context, into: &effects) }
            activity = .checkingPosition(check, motionUntil: motionUntil)
            return
        }
        // The fix was taken for another purpose.
        let interval = context.options.fastestStoppedUpdateInterval
        let last = equipment.logbook.lastRecorded
        guard interval > .zero, last.map({ fix.time - $0.time >= interval }) ?? true else { return }
        equipment.logbook.keep(fix, context, into: &effects)
    }

    private mutating func endCheckIfDone(
        _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        guard let purpose = check?.purpose, !purpose.isForRecord,
            !(purpose.isForMotion && motion.isRecent(at: context.now))
        else { return }
        endCheck(because: "the vehicle is where it was parked", context, &equipment, into: &effects)
    }

    private mutating func timedOut(
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
            because: "no fix within \(span) s that settles where the vehicle is", context, &equipment, into: &effects)
        return nil
    }

    private mutating func endCheck(
        because reason: String, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
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

// MARK: - Timers

extension ParkedState {
    private func armCheck(_ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer) {
        guard context.hasMotionSensor, !isIdling else {
            return effects.arm(.check, at: context.now + Self.checks.pause(afterFailures: failedChecks + 1))
        }
        guard !logbook.isParkedPlaceKnown, failedChecks > 0 else { return effects.cancel(.check) }
        effects.arm(.check, at: context.now + Self.searches.pause(afterFailures: failedChecks))
    }

    private func armUpdate(_ context: Context, into effects: inout EffectBuffer) {
        let interval = context.options.desiredStoppedUpdateInterval
        if interval > .zero { effects.arm(.update, at: context.now + interval) }
    }

    private func armHeartbeat(_ context: Context, into effects: inout EffectBuffer) {
        let interval = context.options.heartbeatInterval
        if interval > .zero { effects.arm(.heartbeat, at: context.now + interval) }
    }
}
