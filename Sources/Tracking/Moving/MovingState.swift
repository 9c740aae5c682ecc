import Motion
import TrackingOptions
import Quantities

/// The state during a trip: the sampler selects the fixes to record, and the stop rules detect a stop.
struct MovingState: Sendable {
    /// After a search that failed this long after the rest began, a stop needs no further search.
    private static let longEnough = Duration.seconds(60)
    /// A smooth road shakes a vehicle only sometimes, so motion is evidence of driving for this time.
    private static let drivingLasts = Duration.seconds(60)

    /// When the trip began, or when tracking began again with the vehicle moving.
    private(set) var since: Instant?
    private var acquisition: Acquisition
    /// Decides which fixes are accurate enough for a rest of the receiver and for the place of a stop; the track uses all.
    private var gate: AccuracyGate
    private var sampler: Sampler
    private var stops: StopRules
    private var falseStart: FalseStartRule
    /// When the accelerometer last showed motion, as evidence of driving.
    private var lastMotion: Instant?
    /// Where the vehicle was parked, and since when it may have been driven; nil from the trip's first fix on, if a fix showed
    /// the departure, or if the program started during the trip.
    private var origin: (place: Position, left: Instant)?
    /// Nil unless a restart interrupted this trip, and from the first fix of this run on.
    private var interrupted: InterruptedTrip?
    /// True while the receiver is off between two fixes, because no rule needs one soon.
    private var isResting = false
    /// A confirmed stop whose position is still searched for.
    private var unseen: Boxed<Arrival>?

    /// `isDoubtful` is true if the start of the trip may be false.
    private init(
        _ options: TrackingOptions, since: Instant?, parked: Position? = nil, isDoubtful: Bool = false, isCold: Bool,
        at now: Instant
    ) {
        self.since = since
        acquisition = Acquisition(isCold: isCold)
        gate = AccuracyGate(options)
        sampler = Sampler(options)
        stops = StopRules(options, at: now)
        falseStart = FalseStartRule(
            parked: parked, radius: options.provenStart, isDoubtful: isDoubtful, at: now)
    }

    /// Begins a trip; `left` is when the vehicle may have driven off.
    init(_ departure: Departure, from parked: Position?, left: Instant, isCold: Bool, _ turn: Turn) {
        self.init(
            turn.options, since: turn.now, parked: parked, isDoubtful: departure.cause == .motion, isCold: isCold,
            at: turn.now)
        if let parked, departure.fix == nil { origin = (parked, left) }
    }

    init(_ options: TrackingOptions, continuing trip: InterruptedTrip?, isCold: Bool) {
        self.init(options, since: nil, isCold: isCold, at: .boot)
        interrupted = trip
    }

    var isStartConfirmed: Bool { falseStart.isDecided }

    var isStanding: Bool { stops.isStanding }

    var isAtRest: Bool { stops.isAtRest }

    mutating func enter(_ equipment: inout Equipment, in turn: inout Turn) {
        turn.effects.append(.motionSensor(isStreaming: true))
        search(&equipment, in: &turn)
        stops.enter(in: &turn)
        if falseStart.isDecided { equipment.logbook.confirmTrip(in: &turn) }
    }

    /// The arrival for a stop that the caller has confirmed.
    func arrival(because reason: String, _ turn: Turn) -> Arrival {
        completed(stops.arrival(because: reason, turn), turn)
    }

    mutating func handle(_ event: VehicleEvent, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        let now = turn.now
        switch event {
        case .started:
            since = now
            stops.start(at: now)
            enter(&equipment, in: &turn)
            return nil
        case .fix(let fix):
            return take(fix, &equipment, in: &turn)
        case .motion(let verdict):
            // At a place where vibration has caused false starts, only stronger motion is evidence of a start.
            let isMoving = verdict.isMoving && (falseStart.isDecided || turn.isMotionStrong)
            if isMoving {
                unseen = nil
                lastMotion = now
                acquisition.drive(in: &turn)
                Self.apply(falseStart.motion(at: now), &equipment, in: &turn)
            }
            stops.motion(isMoving: isMoving, at: now, into: &turn.effects)
            return nil
        case .motionSensor:
            stops.motionSensor(in: &turn)
            return nil
        case .timer(let kind):
            return handle(kind, &equipment, in: &turn)
        case .stay:
            return arrive(stops.arrival(because: "by command", turn), turn)
        case .ignition(isOn: false):
            stops.enter(in: &turn)
            guard turn.options.stopOnIgnitionOff else { return nil }
            return arrive(stops.arrival(because: "the ignition is off", turn), turn)
        case .ignition(isOn: true), .move:
            if turn.isIgnitionOn { acquisition.drive(in: &turn) }
            Self.apply(falseStart.confirm(), &equipment, in: &turn)
            return nil
        }
    }

    private mutating func handle(_ timer: VehicleTimer, _ equipment: inout Equipment, in turn: inout Turn)
        -> StateChange?
    {
        switch timer {
        case .moving(.stillness):
            guard let arrival = stops.stillnessTimer(isResting: isResting, in: &turn) else { return nil }
            return confirm(arrival, &equipment, in: &turn)
        case .moving(.silence):
            return stops.silenceTimer(in: &turn).map { arrive($0, turn) }
        case .fixTimeout:
            return isResting ? nil : searchTimedOut(&equipment, in: &turn)
        case .moving(.acquire):
            if isResting { stops.receiverRested(at: turn.now) }
            if isResting || acquisition.isResting { search(&equipment, in: &turn) }
        case .moving(.falseStart):
            return timeOutStart(in: &turn)
        case .parked:
            break
        }
        return nil
    }

    /// Records the last fix, then starts new rules.
    mutating func optionsChanged(_ equipment: inout Equipment, in turn: inout Turn) {
        if !turn.options.powersReceiver { equipment.want(receiver: false, in: &turn) }
        recordLastFix(&equipment, in: &turn)
        let (start, place, trip) = (falseStart, origin, interrupted)
        self = MovingState(
            turn.options, since: since, isCold: equipment.logbook.lastFix == nil, at: turn.now)
        (falseStart, origin, interrupted) = (start, place, trip)
        enter(&equipment, in: &turn)
    }

    private func arrive(_ arrival: Arrival, _ turn: Turn) -> StateChange { .arrive(completed(arrival, turn)) }

    private func completed(_ arrival: Arrival, _ turn: Turn) -> Arrival {
        var arrival = interrupted?.dated(arrival, startedAt: since ?? turn.now, turn) ?? arrival
        arrival.doubtfulSince = falseStart.isDecided ? nil : since
        return arrival
    }
}

// MARK: - Fixes

extension MovingState {
    /// Counts the distance, records track points, and collects evidence for the start and for a stop.
    mutating func take(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        let now = turn.now
        if let trip = interrupted {
            interrupted = nil
            if let arrival = trip.stop(before: fix, startedAt: since ?? now, turn) { return .arrive(arrival) }
        }
        if let arrival = stops.stopInSilence(before: fix, turn) { return arrive(arrival, turn) }
        let isBack = acquisition.fix(at: now)
        noteUnseenMove(to: fix, &equipment.logbook, in: &turn)
        let verdict = stops.take(fix, turn)
        equipment.logbook.count(fix, isAtRest: stops.isAtRest && !stops.hasDrivenUnseen)
        if isBack { equipment.note(provider: .available, in: &turn) }
        let hasPassed = gate.pass(fix, at: now)
        if verdict.hasMovedAgain { unseen = nil }
        if let unseen, hasPassed {
            Self.apply(falseStart.take(fix, at: now), &equipment, in: &turn)
            stops.apply(verdict, into: &turn.effects)
            return verdict.arrival.map { arrive($0.value, turn) } ?? settle(unseen.value, by: fix, turn)
        }
        sample(fix, &equipment, in: &turn)
        Self.apply(falseStart.take(fix, at: now), &equipment, in: &turn)
        stops.apply(verdict, into: &turn.effects)
        if let arrival = verdict.arrival { return arrive(arrival.value, turn) }
        if hasPassed { restReceiver(after: fix, &equipment, in: &turn) }
        return nil
    }

    /// If the fix is farther from the parked place than the vehicle can have driven, the trip begins at the fix.
    private mutating func noteUnseenMove(to fix: AcceptedFix, _ logbook: inout Logbook, in turn: inout Turn) {
        guard let (parked, left) = origin else { return }
        origin = nil
        guard let distance = UnseenMove.distance(to: fix, from: parked, since: left, at: turn.now) else { return }
        falseStart.move(to: fix.position, at: turn.now)
        logbook.beginTripElsewhere(at: fix, in: &turn)
        turn.effects.decide(
            .start, "moved unseen: the first fix is \(Int(distance.value)) m from where the vehicle was parked")
    }

    /// Records the fix, and those before it, if the sampling rules request them.
    private mutating func sample(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        let recorded = equipment.logbook.lastRecorded
        var kept = sampler.sample(fix, after: recorded, isAtRest: stops.isAtRest, turn.shared)
        if kept.isEmpty, isResting, sampler.wantsPassive(fix, after: recorded, turn.shared) {
            kept = [fix]
            sampler.restart()
        }
        for fix in kept { equipment.logbook.keep(fix, in: &turn) }
    }

    /// Records the last fix, unless the track has it or a later one, or the options request no track.
    private func recordLastFix(_ equipment: inout Equipment, in turn: inout Turn) {
        guard turn.options.recordsTrack, let fix = stops.lastFix,
            equipment.logbook.lastRecorded.map({ fix.time > $0.time }) ?? true
        else { return }
        equipment.logbook.keep(fix, in: &turn)
    }
}

// MARK: - The start

extension MovingState {
    private static func apply(_ outcome: FalseStartRule.Outcome, _ equipment: inout Equipment, in turn: inout Turn) {
        switch outcome {
        case .undecided, .takeBack: break
        case .arm(let moment): turn.effects.arm(.falseStart, at: moment)
        case .confirm:
            turn.effects.cancel(.falseStart)
            equipment.logbook.confirmTrip(in: &turn)
        }
    }

    private mutating func timeOutStart(in turn: inout Turn) -> StateChange? {
        switch falseStart.timer(at: turn.now) {
        case .undecided, .confirm: return nil
        case .arm(let moment):
            turn.effects.arm(.falseStart, at: moment)
            return nil
        case .takeBack(let isIdling):
            let patience = Int(FalseStartRule.patience.inSeconds)
            let how = isIdling ? "though it shakes" : "and has been still for \(patience) s"
            var arrival = stops.arrival(because: "", turn)
            let moved = falseStart.displacement(of: arrival.position ?? arrival.lastFix?.position)
            let place = moved.map { "stands \(Int($0.value)) m from where it was" } ?? "is where it was"
            arrival.reason = "a false start: the vehicle \(place), \(how)"
            arrival.isFalseStart = true
            arrival.isShaking = isIdling
            return arrive(arrival, turn)
        }
    }
}

// MARK: - Stops without a fix

extension MovingState {
    /// Confirms a stop. If no fix has come since the vehicle came to rest, a search for the position runs first, except
    /// if one has failed at least `longEnough` after the rest began, or if the options keep the receiver off.
    private mutating func confirm(_ arrival: Arrival, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange?
    {
        guard let since = arrival.stillSince, arrival.isUnseen, turn.options.powersReceiver,
            !acquisition.hasFailed(since: since + Self.longEnough)
        else { return arrive(arrival, turn) }
        unseen = Boxed(arrival)
        search(&equipment, in: &turn)
        return nil
    }

    private mutating func settle(_ arrival: Arrival, by fix: AcceptedFix, _ turn: Turn) -> StateChange? {
        // One fast fix neither confirms nor cancels the stop. A second fast fix ends the stillness.
        guard !fix.provesMovement else { return nil }
        unseen = nil
        var arrival = arrival
        // Keep the last position before the stop, unless the fix has a smaller error or shows that the vehicle moved on.
        let before = arrival.position ?? arrival.lastFix?.position
        let hasGoneOn = before.map { fix.position.isProvablyAway(from: $0, by: .zero) } ?? true
        if hasGoneOn || fix.position.error < (before?.error ?? .zero) { arrival.position = fix.position }
        arrival.lastFix = fix
        return arrive(arrival, turn)
    }
}

// MARK: - The receiver

extension MovingState {
    private mutating func search(_ equipment: inout Equipment, in turn: inout Turn) {
        isResting = false
        gate.close(at: turn.now)
        if turn.options.powersReceiver { acquisition.begin(&equipment, in: &turn) }
    }

    /// Ends a failed search. Returns the stop for which it searched, if any; otherwise records the last fix, and
    /// switches the receiver off.
    private mutating func searchTimedOut(_ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        guard acquisition.hasTimedOut(in: &turn) else { return nil }
        if let unseen { return arrive(unseen.value, turn) }
        sampler.restart()
        recordLastFix(&equipment, in: &turn)
        let isShaken = lastMotion.map { turn.now - $0 <= Self.drivingLasts } ?? false
        let isDriving =
            turn.isIgnitionOn || turn.hasMotionSensor && isShaken || stops.mayDriveUnseen(turn)
        acquisition.rest(isDriving: isDriving, &equipment, in: &turn)
        return nil
    }

    /// To save energy, the receiver rests after an accurate fix until shortly before a rule could request the next.
    private mutating func restReceiver(after fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        // Without an accelerometer only a stream of fixes shows that a vehicle at rest has stopped.
        let search = equipment.receiver.timeToFirstFix
        guard falseStart.isDecided, turn.hasMotionSensor || !stops.isAtRest,
            let rest = sampler.rest(
                after: fix, last: equipment.logbook.lastRecorded, timeToFix: search, turn.shared
            ).flatMap({ equipment.boundedByRegions($0, after: fix, timeToFix: search, turn.options) })
        else { return }
        isResting = true
        sampler.noteRest()
        turn.effects.cancel(.fixTimeout)
        equipment.want(receiver: false, in: &turn)
        turn.effects.arm(.acquire, at: turn.now + rest)
    }
}
