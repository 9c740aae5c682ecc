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
    func enter(_ logbook: Logbook, in turn: inout Turn) {
        turn.effects.append(.motionSensor(isStreaming: isIdling))
        armCheck(logbook, in: &turn)
        armUpdate(in: &turn)
        armHeartbeat(in: &turn)
    }

    /// Handles one event; returns a departure if the event shows one.
    mutating func handle(_ event: VehicleEvent, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        switch event {
        case .started:
            start(&equipment, in: &turn)
            return nil
        case .timer(let kind):
            return handle(kind, &equipment, in: &turn)
        case .fix(let fix):
            return take(fix, &equipment, in: &turn)
        case .motion(let isMoving, let onset):
            return take(isMoving: isMoving, since: onset, &equipment, in: &turn)
        case .motionSensor:
            if check == nil { armCheck(equipment.logbook, in: &turn) }
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
            equipment.record(.ping, in: &turn)
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

    /// Arms the timer of the next record of a parked vehicle, if the options request such records.
    private func armUpdate(in turn: inout Turn) {
        let interval = turn.options.desiredStoppedUpdateInterval
        if interval > .zero { turn.effects.arm(.update, at: turn.now + interval) }
    }

    /// Arms the timer of the next ping, if the options request pings.
    private func armHeartbeat(in turn: inout Turn) {
        let interval = turn.options.heartbeatInterval
        if interval > .zero { turn.effects.arm(.heartbeat, at: turn.now + interval) }
    }

    /// Resets the state after a start of the program or of tracking, and begins a position check.
    private mutating func start(_ equipment: inout Equipment, in turn: inout Turn) {
        self = ParkedState(turn.options, at: turn.now)
        turn.effects.append(.motionSensor(isStreaming: false))
        begin(PositionCheck.Purpose(), &equipment, in: &turn)
        armUpdate(in: &turn)
        armHeartbeat(in: &turn)
    }

    /// Applies changed options while parked; restarts a position check that is under way.
    ///
    /// The function also begins a check if the parked place is unknown and the old options kept the receiver off.
    mutating func optionsChanged(from old: TrackingOptions, _ equipment: inout Equipment, in turn: inout Turn) {
        var purpose = check?.purpose
        if purpose == nil, !equipment.logbook.isParkedPlaceKnown, !old.powersReceiver {
            purpose = PositionCheck.Purpose()
        }
        if purpose == nil || !turn.options.powersReceiver {
            equipment.want(receiver: false, in: &turn)
        }
        activity = .asleep
        motion = MotionConfirmation(delay: turn.options.motionTriggerDelay)
        departure = DepartureRule(turn.options)
        isStreaming = isIdling
        enter(equipment.logbook, in: &turn)
        if let purpose { begin(purpose, &equipment, in: &turn) }
        updateSensor(into: &turn.effects)
    }

    /// Returns since when the vehicle may have been driven; `motionBegan` is nil if no motion was felt.
    func mayDrive(since motionBegan: Instant?, _ turn: Turn) -> Instant {
        watch.mayDrive(since: motionBegan, canFeel: turn.hasMotionSensor && !isIdling, at: turn.now)
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
    private mutating func take(isMoving: Bool, since onset: Instant?, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        if case .on(let stillSince) = idling {
            endIdling(isMoving ? nil : stillSince ?? turn.now, equipment.logbook, in: &turn)
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
        guard check != nil || mayCheck else {
            ignoreMotion(&equipment, in: &turn)
            return nil
        }
        endWarmUp()
        begin(PositionCheck.Purpose(motionBegan: began), &equipment, in: &turn)
        updateSensor(into: &turn.effects)
        return nil
    }

    private mutating func endIdling(_ stillSince: Instant?, _ logbook: Logbook, in turn: inout Turn) {
        guard let since = stillSince, turn.now - since >= Self.lull else {
            idling = .on(stillSince: stillSince)
            return
        }
        idling = .off
        updateSensor(into: &turn.effects)
        armCheck(logbook, in: &turn)
    }

    /// Warms the receiver up while motion is unconfirmed.
    ///
    /// The track then contains the first metres of a trip.
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
        guard motionUntil != nil else { return }
        endWarmUp()
        updateSensor(into: &turn.effects)
        if check == nil {
            turn.effects.cancel(.fixTimeout)
            equipment.want(receiver: false, in: &turn)
        }
        let span = Int(turn.options.motionTriggerDelay.inSeconds)
        turn.effects.decide(.start, reason ?? "not yet: motion was shorter than \(span) s")
        guard isDepartureHeldBack, check == nil else { return }
        isDepartureHeldBack = false
        begin(PositionCheck.Purpose(), &equipment, in: &turn)
    }

    /// Ends a warm-up for motion, because a recent position check has found the vehicle parked in spite of such motion.
    private mutating func ignoreMotion(_ equipment: inout Equipment, in turn: inout Turn) {
        guard motionUntil != nil else { return }
        endWarmUp()
        updateSensor(into: &turn.effects)
        turn.effects.cancel(.fixTimeout)
        equipment.want(receiver: false, in: &turn)
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
    private mutating func warmUpTimedOut(_ until: Instant, _ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.now >= until else { return }
        guard motion.isRecent(at: turn.now) else { return coolDown(&equipment, in: &turn) }
        let next = turn.now + turn.options.fixTimeout
        activity = .confirmingMotion(until: next)
        turn.effects.arm(.fixTimeout, at: next)
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
    func armCheck(_ logbook: Logbook, in turn: inout Turn) {
        if let opening = gate.opening(turn), gate.isDelaying { return turn.effects.arm(.check, at: opening) }
        guard turn.hasMotionSensor, !isIdling else {
            return turn.effects.arm(.check, at: turn.now + Self.checks.pause(afterFailures: failedChecks + 1))
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
