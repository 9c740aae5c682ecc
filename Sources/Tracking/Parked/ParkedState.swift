import TrackingOptions
import Quantities

/// The state of a parked vehicle.
///
/// The receiver is off between position checks. The accelerometer, the ignition, a position check or a command starts a trip.
struct ParkedState: Sendable {
    /// The time between two position checks while no accelerometer can report a start; it grows while checks find no
    /// fix.
    ///
    /// An idling engine, which shakes the accelerometer, has the same effect as a missing accelerometer.
    private static let checks = Backoff(first: .seconds(30), longest: .seconds(600))
    /// The time between two searches for an unknown parked place, if an accelerometer can report a start.
    private static let searches = Backoff(first: .seconds(600), longest: .seconds(86_400))
    /// If the accelerometer measures no motion for this time, an idling engine has stopped; pauses in its vibration are shorter.
    private static let lull = Duration.seconds(10)

    /// The present activity.
    enum Activity: Sendable {
        /// The state waits for motion, for the ignition or for a timer.
        case asleep
        /// Motion has begun but has not lasted long enough; the receiver warms up until `until`.
        case confirmingMotion(until: Instant)
        /// The receiver searches for the vehicle's position; unconfirmed motion keeps the receiver on until `motionUntil`.
        case checkingPosition(PositionCheck, motionUntil: Instant?)
    }

    /// Whether an idling engine shakes the accelerometer; if so, motion is no evidence of a start.
    private enum Idling: Sendable {
        case off
        case on(stillSince: Instant?)
    }

    var activity = Activity.asleep
    private var idling = Idling.off
    private(set) var motion: MotionConfirmation
    var departure: DepartureRule
    var gate = StartGate()
    var shaken = ShakenPlace()
    var sightings = ParkedSightings()
    var watch: ParkedWatch
    var failedChecks = 0
    /// Whether fixes showed a departure before the motion had lasted long enough.
    var isDepartureHeldBack = false
    /// Whether the accelerometer streams; if not, it only wakes the program.
    private var isStreaming = false

    /// Makes the state of a parked vehicle when the program or tracking starts.
    init(_ options: TrackingOptions, at now: Instant) {
        motion = MotionConfirmation(delay: options.motionTriggerDelay)
        departure = DepartureRule(options)
        watch = ParkedWatch(startedAt: now)
    }

    /// Makes the state after a trip; if the parked place is unknown, the receiver searches again after growing pauses.
    init(after arrival: Arrival, isPlaceSeen: Bool, _ options: TrackingOptions, at now: Instant) {
        self.init(options, at: now)
        // Without an accelerometer, only the end of the fixes shows a stop in a garage or a long tunnel.
        watch = ParkedWatch(after: SilenceRule.timeout, isSeen: !arrival.isBySilence, at: now)
        if !arrival.isFalseStart { gate = StartGate(stopped: now) }
        idling = arrival.isShaking ? .on(stillSince: nil) : .off
        isStreaming = arrival.isShaking
        failedChecks = isPlaceSeen ? 0 : 1
    }

    /// Enters the state after a trip or a change of the options.
    func enter(_ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer) {
        effects.append(.motionSensor(isStreaming: isIdling))
        armCheck(context, logbook, into: &effects)
        effects.armUpdate(context)
        effects.armHeartbeat(context)
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
        case .motion(let isMoving, let onset):
            return take(isMoving: isMoving, since: onset, context, &equipment, into: &effects)
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
            begin(PositionCheck.Purpose(motionBegan: gate.release()), context, &equipment, into: &effects)
            updateSensor(into: &effects)
        case .update:
            begin(PositionCheck.Purpose(isForRecord: true), context, &equipment, into: &effects)
            effects.armUpdate(context)
        case .heartbeat:
            equipment.record(.ping, context, into: &effects)
            effects.armHeartbeat(context)
        case .fixTimeout:
            switch activity {
            case .asleep: break
            case .confirmingMotion(let until): warmUpTimedOut(until, context, &equipment, into: &effects)
            case .checkingPosition(let check, _): return timedOut(check, context, &equipment, into: &effects)
            }
        case .stillness, .silence, .acquire, .falseStart, .request, .health, .tripGap, .schedule, .privacy, .beacons,
            .scan, .regions, .halt, .light, .condition, .holdUploads, .trial:
            break
        }
        return nil
    }

    /// Resets the state after a start of the program or of tracking, and begins a position check.
    private mutating func start(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        self = ParkedState(context.options, at: context.now)
        effects.append(.motionSensor(isStreaming: false))
        begin(PositionCheck.Purpose(), context, &equipment, into: &effects)
        effects.armUpdate(context)
        effects.armHeartbeat(context)
    }

    /// Applies changed options while parked; restarts a position check that is under way.
    ///
    /// The function also begins a check if the parked place is unknown and the old options kept the receiver off.
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

    /// Returns since when the vehicle may have been driven; `motionBegan` is nil if no motion was felt.
    func mayDrive(since motionBegan: Instant?, _ context: Context) -> Instant {
        watch.mayDrive(since: motionBegan, canFeel: context.hasMotionSensor && !isIdling, at: context.now)
    }

    var isIdling: Bool { if case .on = idling { true } else { false } }

    var check: PositionCheck? {
        if case .checkingPosition(let check, _) = activity { check } else { nil }
    }

    /// When the warm-up for unconfirmed motion ends; nil if no warm-up is under way.
    var motionUntil: Instant? {
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
        isMoving: Bool, since onset: Instant?, _ context: Context, _ equipment: inout Equipment,
        into effects: inout EffectBuffer
    ) -> StateChange? {
        if case .on(let stillSince) = idling {
            endIdling(isMoving ? nil : stillSince ?? context.now, context, equipment.logbook, into: &effects)
            return nil
        }
        let began = motion.began(isMoving: isMoving, onset: onset, at: context.now)
        guard let began, motion.isOver(at: context.now) else {
            if motion.isWaiting {
                warmUp(context, &equipment, into: &effects)
            } else {
                coolDown(context, &equipment, into: &effects)
            }
            return nil
        }
        if gate.delays(since: began, context) {
            armCheck(context, equipment.logbook, into: &effects)
            coolDown(because: StartGate.reason, context, &equipment, into: &effects)
            return nil
        }
        let isChecked = context.options.startCircle != nil || context.isPlaceShaken
        guard isChecked, context.options.powersReceiver else {
            return .depart(Departure(reason: "the accelerometer shows motion", cause: .motion, began: began))
        }
        let mayCheck = !context.isPlaceShaken || shaken.mayCheck(isStrong: context.isMotionStrong, at: context.now)
        guard check != nil || mayCheck else {
            ignoreMotion(context, &equipment, into: &effects)
            return nil
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

    /// Warms the receiver up while motion is unconfirmed.
    ///
    /// The track then contains the first metres of a trip.
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

    private mutating func coolDown(
        because reason: String? = nil, _ context: Context, _ equipment: inout Equipment,
        into effects: inout EffectBuffer
    ) {
        guard motionUntil != nil else { return }
        endWarmUp()
        updateSensor(into: &effects)
        if check == nil {
            effects.cancel(.fixTimeout)
            equipment.want(receiver: false, context, into: &effects)
        }
        let span = Int(context.options.motionTriggerDelay.inSeconds)
        effects.decide(.start, reason ?? "not yet: motion was shorter than \(span) s")
        guard isDepartureHeldBack, check == nil else { return }
        isDepartureHeldBack = false
        begin(PositionCheck.Purpose(), context, &equipment, into: &effects)
    }

    /// Ends a warm-up for motion, because a recent position check has found the vehicle parked in spite of such motion.
    private mutating func ignoreMotion(
        _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        guard motionUntil != nil else { return }
        endWarmUp()
        updateSensor(into: &effects)
        effects.cancel(.fixTimeout)
        equipment.want(receiver: false, context, into: &effects)
    }

    private mutating func endWarmUp() {
        switch activity {
        case .asleep: break
        case .confirmingMotion: activity = .asleep
        case .checkingPosition(let check, _): activity = .checkingPosition(check, motionUntil: nil)
        }
    }

    /// Prolongs a warm-up if there was recent motion; otherwise ends it, because the accelerometer may have stopped
    /// reporting.
    private mutating func warmUpTimedOut(
        _ until: Instant, _ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer
    ) {
        guard context.now >= until else { return }
        guard motion.isRecent(at: context.now) else { return coolDown(context, &equipment, into: &effects) }
        let next = context.now + context.options.fixTimeout
        activity = .confirmingMotion(until: next)
        effects.arm(.fixTimeout, at: next)
    }

    /// Makes the accelerometer stream while a rule must evaluate how long motion lasts; otherwise the accelerometer only wakes
    /// the program.
    mutating func updateSensor(into effects: inout EffectBuffer) {
        let isNeeded = isIdling || motionUntil != nil || check?.purpose.isForMotion ?? false
        guard isNeeded != isStreaming else { return }
        isStreaming = isNeeded
        effects.append(.motionSensor(isStreaming: isNeeded))
    }
}

// MARK: - Timers

extension ParkedState {
    /// Arms the timer of the next position check, or cancels the timer if no rule needs a check.
    ///
    /// Motion, or a record that is due, may cause an earlier check.
    func armCheck(_ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer) {
        if let opening = gate.opening(context), gate.isDelaying { return effects.arm(.check, at: opening) }
        guard context.hasMotionSensor, !isIdling else {
            return effects.arm(.check, at: context.now + Self.checks.pause(afterFailures: failedChecks + 1))
        }
        let isLost = !logbook.isParkedPlaceKnown && failedChecks > 0
        let search = isLost ? Self.searches.pause(afterFailures: failedChecks) : nil
        let interval = context.options.parkedCheckInterval
        guard let pause = [search, interval > .zero ? interval : nil].compactMap({ $0 }).min() else {
            return effects.cancel(.check)
        }
        effects.arm(.check, at: context.now + pause)
    }
}
