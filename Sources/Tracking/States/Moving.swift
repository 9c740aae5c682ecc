import Quantities
import TrackingOptions

/// The vehicle is on its way: the receiver is on or searches, fixes are sampled, and the stop rules watch.
struct Moving: Sendable {
    private let options: TrackingOptions
    private var acquisition: Acquisition
    private var gate: AccuracyGate
    private var sampler: Sampler
    private var stops: StopRules
    private var falseStart: FalseStartRule
    private var isResting = false
    /// A stop that is confirmed, but that no fix has seen yet.
    private var unseen: Arrival?

    /// Begins a way that may be doubtful, with a receiver that is cold when it has never had a fix.
    init(
        _ options: TrackingOptions, hasMotionSensor: Bool, parked: Position?, isDoubtful: Bool = false, isCold: Bool,
        at now: Instant
    ) {
        self.options = options
        acquisition = Acquisition(timeout: options.fixTimeout, isCold: isCold)
        gate = AccuracyGate(options)
        sampler = Sampler(options)
        stops = StopRules(options, hasMotionSensor: hasMotionSensor, at: now)
        falseStart = FalseStartRule(
            parked: parked, radius: options.stoppedGeofenceRadius, isDoubtful: isDoubtful, at: now)
    }

    /// Takes over what was known of the start from the same way under other options.
    mutating func follow(_ old: Moving) { falseStart = old.falseStart }

    /// Whether nothing has confirmed yet that the vehicle has left.
    var isStartInDoubt: Bool { !falseStart.isDecided }

    /// A stop that is confirmed for a reason from outside.
    func arrival(because reason: String) -> Arrival { stops.arrival(because: reason) }

    /// What to do on entering the state.
    mutating func enter(at now: Instant) -> [Step] {
        [.perform(.motionSensor(isStreaming: true))] + search(at: now) + stops.enter(at: now)
            + (falseStart.isDecided ? [.confirmTrip] : [])
    }

    mutating func handle(_ input: Input, state: inout EngineState, at now: Instant) -> [Step] {
        switch input {
        case .started:
            return enter(at: now)
        case .fix(let fix):
            return take(fix, state: &state, at: now)
        case .motion(let isMoving):
            if isMoving { unseen = nil }
            return (isMoving ? judge(falseStart.motion(at: now)) : []) + stops.motion(isMoving: isMoving, at: now)
        case .motionSensor(let isThere):
            return stops.motionSensor(isThere: isThere, at: now)
        case .timer(let kind):
            return timer(kind, state: state, at: now)
        case .stay:
            return [.arrive(stops.arrival(because: "it was told to"))]
        case .ignition(let isOn):
            let isStop = IgnitionRule.confirmsStop(isOn: isOn, options: options)
            if isStop { return [.arrive(stops.arrival(because: "the ignition is off"))] }
            return isOn ? judge(falseStart.confirm()) : []
        case .move:
            return judge(falseStart.confirm())
        }
    }

    private mutating func timer(_ kind: TimerKind, state: EngineState, at now: Instant) -> [Step] {
        switch kind {
        case .stillness: lookFirst(stops.timer(kind, at: now), at: now)
        case .silence: stops.timer(kind, at: now)
        case .fixTimeout: isResting ? [] : giveUp(after: state.lastRecorded?.time, at: now)
        case .acquire: isResting || acquisition.isResting ? search(at: now) : []
        case .falseStart: judge(falseStart.timer(at: now))
        case .check, .update, .heartbeat, .request, .health, .tripGap, .schedule, .beacons, .scan, .regions, .halt,
            .light:
            []
        }
    }

    // MARK: Fixes

    private mutating func take(_ fix: AcceptedFix, state: inout EngineState, at now: Instant) -> [Step] {
        let found = acquisition.fix(at: now)
        let stop = stops.take(fix, at: now)
        state.odometer.add(fix, isAtRest: stops.isAtRest)
        state.trips.add(fix, isAtRest: stops.isAtRest)
        let judged = judge(falseStart.take(fix, at: now))
        var steps: [Step] = []
        var last = state.lastRecorded
        let passed = gate.pass(fix, at: now)
        if stop.contains(.perform(.cancel(.stillness))) { unseen = nil }
        if let unseen, let seen = passed.last { return found + judged + stop + see(seen, unseen) }
        for good in passed {
            for kept in sampler.sample(good, after: last, isAtRest: stops.isAtRest) {
                steps.append(.keep(kept))
                last = EngineState.Recorded(kept)
            }
        }
        // The last fix before the receiver goes off is always recorded.
        let isDone = last != state.lastRecorded && last?.time == fix.time || !options.monitoring.recordsUnasked
        return found + steps + judged + stop + (isDone ? restReceiver(after: fix, state: state, at: now) : [])
    }

    private func judge(_ outcome: FalseStartRule.Outcome) -> [Step] {
        switch outcome {
        case .nothing: return []
        case .arm(let moment): return [.perform(.arm(.falseStart, at: moment))]
        case .confirm: return [.perform(.cancel(.falseStart)), .confirmTrip]
        case .takeBack(let isIdling):
            let how = isIdling ? "though it shakes" : "and still for \(Int(FalseStartRule.patience.inSeconds)) s"
            var arrival = stops.arrival(because: "a false start: the vehicle is where it was, \(how)")
            arrival.isFalseStart = true
            arrival.isShaking = isIdling
            return [.arrive(arrival)]
        }
    }

    // MARK: Stops that no fix has seen

    /// The receiver rested when the vehicle came to rest: before the stop is believed, it looks where that was.
    private mutating func lookFirst(_ steps: [Step], at now: Instant) -> [Step] {
        guard case .arrive(let arrival)? = steps.last, let since = arrival.stillSince, arrival.isUnseen,
            options.powersReceiver, !acquisition.hasFailed(since: since + Self.longEnough)
        else { return steps }
        unseen = arrival
        return steps.dropLast() + search(at: now)
    }

    /// A search that went on for so long after the vehicle came to rest has looked.
    private static let longEnough = Duration.seconds(60)

    private mutating func see(_ fix: AcceptedFix, _ arrival: Arrival) -> [Step] {
        // One fast fix proves nothing; when a second one follows, the stillness is over.
        guard !fix.provesMovement else { return [] }
        unseen = nil
        var arrival = arrival
        // Where it was seen before it came to rest is as good, unless the fix shows that it has gone on.
        let before = arrival.position ?? arrival.lastFix?.position
        let hasGoneOn = before.map { fix.position.isProvablyAway(from: $0, by: .zero) } ?? true
        if hasGoneOn || fix.position.error < (before?.error ?? .zero) { arrival.position = fix.position }
        arrival.lastFix = fix
        return [.arrive(arrival)]
    }

    // MARK: The receiver

    private mutating func search(at now: Instant) -> [Step] {
        isResting = false
        gate.close(at: now)
        return options.powersReceiver ? acquisition.begin(at: now) : []
    }

    /// The last fix before the receiver goes off is always recorded, and so is the best of those that were not good enough.
    private mutating func giveUp(after recorded: Timestamp?, at now: Instant) -> [Step] {
        let steps = acquisition.timedOut(at: now)
        guard acquisition.isResting, !steps.isEmpty else { return steps }
        if let unseen { return [.arrive(unseen)] }
        sampler.restart()
        return heldBack(after: recorded) + steps
    }

    /// The last fix, and the best of those that were not good enough, unless they are recorded already.
    func heldBack(after recorded: Timestamp?) -> [Step] {
        var kept: [Step] = []
        var last = recorded
        for fix in [gate.secondBest, stops.lastFix].compactMap({ $0 }) where last.map({ fix.time > $0 }) ?? true {
            kept.append(.keep(fix))
            last = fix.time
        }
        return kept
    }

    private mutating func restReceiver(after fix: AcceptedFix, state: EngineState, at now: Instant) -> [Step] {
        let interval = sampler.earliestNext(at: fix.position.speed)
        guard falseStart.isDecided, let rest = DutyCycle.rest(before: interval, timeToFix: state.timeToFirstFix) else {
            return []
        }
        isResting = true
        return [
            .perform(.cancel(.fixTimeout)), .receiver(isOn: false), .perform(.arm(.acquire, at: now + rest)),
        ]
    }
}
