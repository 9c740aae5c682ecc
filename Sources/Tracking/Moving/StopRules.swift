import TrackingOptions
import Quantities

/// The rules that confirm a stop: any of them suffices, and each takes in the evidence against it.
struct StopRules: Sendable {
    /// Without an accelerometer only fixes show stillness; one that is older than this shows nothing: a tunnel is no stop.
    private static let evidenceLasts = Duration.seconds(10)

    /// What a fix means for a stop.
    struct Verdict: Sendable {
        fileprivate var outcomes = (StillnessRule.Outcome.none, StillnessRule.Outcome.none)
        /// The stop that the fix confirms.
        fileprivate(set) var arrival: Arrival?

        /// Whether it ends a stillness.
        var hasMovedAgain: Bool { outcomes.0 == .cancel || outcomes.1 == .cancel }
    }

    private var stillness: StillnessRule
    private var place: PlaceRule
    private var window: StationaryWindow
    private var silence: SilenceRule
    private var rest: RestDetector
    /// Where the vehicle was while the accelerometer was still.
    private var still: FixMean?
    private var isShaking = false
    /// The last fix that came.
    private(set) var lastFix: AcceptedFix?
    private var lastFixAt: Instant?

    init(_ options: TrackingOptions, at now: Instant) {
        stillness = StillnessRule(
            timeout: options.stopDetectionDelay + options.stopTimeout, radius: options.stopDistance)
        place = PlaceRule(duration: options.stopDuration, radius: options.stopDistance)
        window = StationaryWindow(
            interval: options.stationaryInterval, distance: options.stationaryDistance, speed: options.stationarySpeed)
        silence = SilenceRule(from: now)
        rest = RestDetector(maximumPoints: options.arrivalPoints)
    }

    /// Whether the fixes show the vehicle at rest.
    var isAtRest: Bool { rest.isAtRest }

    /// Begins to watch for silence, where no accelerometer could report stillness.
    func enter(_ context: Context, into effects: inout EffectBuffer) {
        if !context.hasMotionSensor { effects.arm(.silence, at: context.now + SilenceRule.timeout) }
    }

    /// Notes that an accelerometer has begun to answer, or does so no longer.
    mutating func motionSensor(_ context: Context, into effects: inout EffectBuffer) {
        isShaking = isShaking && context.hasMotionSensor
        if context.hasMotionSensor { effects.cancel(.silence) } else { enter(context, into: &effects) }
    }

    /// Takes a verdict of the accelerometer in.
    mutating func motion(isMoving: Bool, at now: Instant, into effects: inout EffectBuffer) {
        isShaking = isMoving
        apply(judge(isMoving ? .motion : .still, at: now), into: &effects)
    }

    /// Handles the timer of stillness; returns the stop that it confirms.
    mutating func stillnessTimer(_ context: Context, into effects: inout EffectBuffer) -> Arrival? {
        let outcome = judge(isDeaf(context) ? .motion : .timer, at: context.now)
        apply(outcome, into: &effects)
        guard case .confirmStop(let since) = outcome else { return nil }
        return arrival(because: "no motion for \(Int((context.now - since).inSeconds)) s", since: since, context)
    }

    /// Handles the timer of silence; returns the stop that it confirms.
    mutating func silenceTimer(_ context: Context, into effects: inout EffectBuffer) -> Arrival? {
        guard !context.hasMotionSensor else { return nil }
        let (confirmsStop, again) = silence.timer(at: context.now)
        guard confirmsStop else {
            effects.arm(.silence, at: again)
            return nil
        }
        return arrival(because: "no fix for \(Int(SilenceRule.timeout.inSeconds / 60)) minutes", context)
    }

    /// Takes a fix in.
    mutating func take(_ fix: AcceptedFix, _ context: Context) -> Verdict {
        let now = context.now
        (lastFix, lastFixAt) = (fix, now)
        silence.fix(at: now)
        rest.add(fix)
        let provesMovement = fix.provesMovement
        var verdict = Verdict()
        verdict.outcomes.0 = judge(.fix(fix.position, isFast: provesMovement), at: now)
        if stillness.isStill, context.hasMotionSensor, !provesMovement { addToStillness(fix) }
        if !context.hasMotionSensor { verdict.outcomes.1 = judge(rest.isAtRest ? .still : .motion, at: now) }
        let options = context.options
        if place.confirmsStop(fix, restingSince: rest.since) {
            let (span, radius) = (Int(options.stopDuration.inSeconds), Int(options.stopDistance.value))
            let reason = "all fixes of the last \(span) s lie within \(radius) m"
            verdict.arrival = arrival(because: reason, context)
        } else if window.confirmsStop(fix) != nil {
            let span = Int(options.stationaryInterval.inSeconds)
            verdict.arrival = arrival(because: "neither way nor speed in the last \(span) s", context)
        }
        return verdict
    }

    /// Orders the timers that a fix calls for.
    func apply(_ verdict: Verdict, into effects: inout EffectBuffer) {
        apply(verdict.outcomes.0, into: &effects)
        apply(verdict.outcomes.1, into: &effects)
    }

    /// A stop that is confirmed for this reason, with what the fixes show of it.
    func arrival(because reason: String, since: Instant? = nil, _ context: Context) -> Arrival {
        // Motion that the accelerometer felt after the last fix is newer: the rest that the fixes saw was over then.
        let isOutdated = since.flatMap { since in lastFixAt.map { since > $0 } } ?? false
        let (position, rested) = place(stillSince: since)
        return Arrival(
            reason: reason, restedSince: isOutdated ? nil : rested, stillSince: since,
            isShaking: isShaking && context.hasMotionSensor, position: position, lastFix: lastFix,
            points: rest.points, isUnseen: isOutdated || lastFix == nil)
    }

    /// The place of a stop, also by fixes that are too bad to show a rest, once the accelerometer has felt it: then all of
    /// them count, and the accelerometer knows since when.
    private func place(stillSince: Instant?) -> (position: Position?, restedSince: Timestamp?) {
        guard stillSince != nil, let still, rest.since.map({ $0 > still.first.time }) ?? true else {
            return (rest.position, rest.since)
        }
        return (still.position, nil)
    }

    private mutating func addToStillness(_ fix: AcceptedFix) {
        if still == nil { still = FixMean(fix) } else { still?.add(fix) }
    }

    private mutating func judge(_ event: StillnessRule.Event, at now: Instant) -> StillnessRule.Outcome {
        let outcome = stillness.handle(event, at: now)
        if !stillness.isStill { still = nil }
        return outcome
    }

    private func apply(_ outcome: StillnessRule.Outcome, into effects: inout EffectBuffer) {
        switch outcome {
        case .none, .confirmStop: break
        case .arm(let moment): effects.arm(.stillness, at: moment)
        case .cancel: effects.cancel(.stillness)
        }
    }

    /// Whether nothing at present could show that the vehicle moves.
    private func isDeaf(_ context: Context) -> Bool {
        !context.hasMotionSensor && (lastFixAt.map { context.now - $0 > Self.evidenceLasts } ?? true)
    }
}

/// Confirms a stop after a long enough time without motion, unless the fixes show that the vehicle moves all the same.
struct StillnessRule: Sendable, Hashable {
    enum Event: Sendable, Hashable {
        /// The accelerometer sees no motion.
        case still
        /// The accelerometer sees motion that lasts.
        case motion
        /// A fix came; `isFast` when its speed alone proves movement.
        case fix(Position, isFast: Bool)
        /// The timer ran out.
        case timer
    }

    enum Outcome: Sendable, Hashable {
        case none
        case arm(at: Instant)
        case cancel
        case confirmStop(since: Instant)
    }

    private enum State: Sendable, Hashable {
        case inMotion
        case still(since: Instant, place: Position?, proofs: Int)
    }

    /// One fix whose speed or place is wrong proves nothing; two in a row do.
    private static let minimumProofs = 2

    private let timeout: Duration
    private let radius: Metres
    private var state = State.inMotion

    /// Confirms after `timeout`; a fix that proves more than `radius` from where the stillness began starts it anew.
    init(timeout: Duration, radius: Metres) {
        self.timeout = timeout
        self.radius = radius
    }

    /// Whether nothing moves, as far as this rule knows.
    var isStill: Bool { state != .inMotion }

    mutating func handle(_ event: Event, at now: Instant) -> Outcome {
        switch (event, state) {
        case (.still, .inMotion):
            state = .still(since: now, place: nil, proofs: 0)
            return .arm(at: now + timeout)
        case (.motion, .still):
            return move()
        case (.fix(let place, let isFast), .still(let since, let began, let proofs)):
            let isAway = began.map { place.isProvablyAway(from: $0, by: radius) } ?? false
            let count = isFast || isAway ? proofs + 1 : 0
            guard count < Self.minimumProofs else { return move() }
            state = .still(since: since, place: began ?? (isFast ? nil : place), proofs: count)
            return .none
        case (.timer, .still(let since, _, _)):
            return now - since >= timeout ? .confirmStop(since: since) : .none
        case (.still, .still), (.motion, .inMotion), (.fix, .inMotion), (.timer, .inMotion):
            return .none
        }
    }

    private mutating func move() -> Outcome {
        state = .inMotion
        return .cancel
    }
}

/// Confirms a stop when all fixes of a long enough time lie close together, an idling engine notwithstanding.
struct PlaceRule: Sendable, Hashable {
    private struct Anchor: Sendable, Hashable {
        let place: Position
        let time: Timestamp
    }

    private let duration: Duration
    private let radius: Metres
    private var anchor: Anchor?

    /// Confirms when the fixes of `duration` lie within `radius` of the first of them; never when `duration` is zero.
    init(duration: Duration, radius: Metres) {
        self.duration = duration
        self.radius = radius
    }

    /// Takes a fix in, and since when the vehicle has been at rest; returns whether it has stopped.
    ///
    /// Shunting in a yard or creeping in a queue also stays within the radius, so rest is required for the whole time, or
    /// three times that time where the receiver is too noisy to show rest.
    mutating func confirmsStop(_ fix: AcceptedFix, restingSince rest: Timestamp?) -> Bool {
        guard duration > .zero else { return false }
        guard let anchor, !fix.position.isProvablyAway(from: anchor.place, by: radius) else {
            self.anchor = Anchor(place: fix.position, time: fix.time)
            return false
        }
        guard let rest else { return false }
        let stayed = fix.time - anchor.time
        return stayed >= duration && fix.time - rest >= duration || stayed >= duration * 3
    }
}

/// Confirms a stop without an accelerometer when there was no fix for half an hour: the vehicle stands where no sky is.
struct SilenceRule: Sendable, Hashable {
    /// The longest road tunnels take half an hour at the speed of a queue.
    static let timeout = Duration.seconds(1800)

    private var last: Instant

    /// Begins to wait.
    init(from now: Instant) { last = now }

    /// Notes a fix.
    mutating func fix(at now: Instant) { last = now }

    /// Returns whether the silence was long enough when the timer ran out, and if not, when to ask again.
    func timer(at now: Instant) -> (confirmsStop: Bool, again: Instant) {
        (now - last >= Self.timeout, last + Self.timeout)
    }
}
