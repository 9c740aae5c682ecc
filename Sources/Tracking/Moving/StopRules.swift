import TrackingOptions
import Quantities

/// Several rules, each of which confirms a stop without the others.
struct StopRules: Sendable {
    /// Without an accelerometer, an older fix is no evidence of a stop: the vehicle may be driving through a tunnel.
    /// With one, a fix that shows movement delays a stop for this time.
    private static let evidenceLasts = Duration.seconds(10)
    /// If no fix follows one that was faster than this, the vehicle may be in a tunnel.
    private static let fast = MetresPerSecond(8)
    /// The vehicle may be in a tunnel for this long after a fast fix; a smooth road there hardly shakes it.
    private static let tunnel = Duration.seconds(600)

    struct Verdict: Sendable {
        fileprivate var outcomes = (StillnessRule.Outcome.none, StillnessRule.Outcome.none)
        fileprivate(set) var arrival: Boxed<Arrival>?

        /// True if the vehicle has moved, which ends the stillness.
        var hasMovedAgain: Bool { outcomes.0 == .cancel || outcomes.1 == .cancel }
    }

    private var stillness: StillnessRule
    private var place: PlaceRule
    private var window: StationaryWindow
    private var silence: SilenceRule
    private var rest: RestDetector
    private var creeping = CreepDetector()
    /// The mean of the fixes since the accelerometer reported stillness, without those that prove movement.
    private var still: FixMean?
    private var isShaking = false
    private(set) var lastFix: AcceptedFix?
    private var lastFixAt: Instant?

    init(_ options: TrackingOptions, at now: Instant) {
        stillness = StillnessRule(
            timeout: options.stopDetectionDelay + options.stopTimeout, radius: options.provenMotion)
        place = PlaceRule(
            duration: options.placeRuleDuration, radius: options.stopDistance, requiresRest: options.stopRequiresRest)
        window = StationaryWindow(
            interval: options.stationaryInterval, distance: options.stationaryDistance, speed: options.stationarySpeed)
        silence = SilenceRule(options, from: now)
        rest = RestDetector(maximumPoints: options.arrivalPoints)
    }

    var isAtRest: Bool { rest.isAtRest }

    /// True if the last fix is the first at rest, and the vehicle drove on unseen before it.
    var hasDrivenUnseen: Bool {
        guard let before = rest.beforeGap, let lastFix, rest.since == lastFix.time else { return false }
        return lastFix.position.isProvablyAway(from: before.position, by: .zero)
    }

    /// True also if only the accelerometer shows the rest, unless the last fix proves movement.
    var isStanding: Bool { rest.isAtRest || stillness.isStill && !(lastFix?.provesMovement ?? false) }

    /// Arms the timer for the silence if no accelerometer can report stillness.
    func enter(in turn: inout Turn) {
        if !turn.hasMotionSensor { turn.effects.arm(.silence, at: max(turn.now, silence.end(ignition: turn.ignition))) }
    }

    /// The silence counts from now, because nothing is known of the time before the start.
    mutating func start(at now: Instant) { silence.fix(at: now) }

    /// Call it when the receiver goes on again after a rest, in which nothing could be heard.
    mutating func receiverRested(at now: Instant) { silence.receiverRested(at: now) }

    /// The stop during the silence of the receiver before this fix; nil if the vehicle may have driven.
    func stopInSilence(before fix: AcceptedFix, _ turn: Turn) -> Arrival? {
        guard !turn.hasMotionSensor, let last = lastFix,
            silence.isStop(from: last, to: fix, ignition: turn.ignition, at: turn.now)
        else { return nil }
        var stop = arrivalBySilence(turn)
        stop.silence = nil
        stop.reason = "stood without a fix for \(Int(silence.span(at: turn.now).inSeconds / 60)) minutes"
        stop.foundBy = fix
        return stop
    }

    private func arrivalBySilence(_ turn: Turn) -> Arrival {
        let span = silence.span(at: turn.now)
        var stop = arrival(because: "no fix for \(Int(span.inSeconds / 60)) minutes", turn)
        stop.silence = span
        // The fixes ended before the vehicle came to rest, so the last one dates the stop.
        if let lastFix, stop.restedSince == nil { (stop.restedSince, stop.position) = (lastFix.time, lastFix.position) }
        return stop
    }

    mutating func motionSensor(in turn: inout Turn) {
        isShaking = isShaking && turn.hasMotionSensor
        if turn.hasMotionSensor { turn.effects.cancel(.silence) } else { enter(in: &turn) }
    }

    mutating func motion(isMoving: Bool, at now: Instant, into effects: inout EffectBuffer) {
        isShaking = isMoving
        apply(judge(isMoving ? .motion : .still, at: now), into: &effects)
    }

    /// Returns the stop that the timer confirms. While the receiver rests, the last fix is no evidence against a stop.
    mutating func stillnessTimer(isResting: Bool, in turn: inout Turn) -> Arrival? {
        if !isResting, turn.hasMotionSensor, stillness.isStill, let moment = earliestStop(turn) {
            turn.effects.arm(.stillness, at: moment)
            return nil
        }
        // Without a recent fix, the next fix shows whether the rest went on.
        guard !isDeaf(turn) else { return nil }
        let outcome = judge(.timer, at: turn.now)
        apply(outcome, into: &turn.effects)
        guard case .confirmStop(let since) = outcome else { return nil }
        return arrival(because: "no motion for \(Int((turn.now - since).inSeconds)) s", since: since, turn)
    }

    mutating func silenceTimer(in turn: inout Turn) -> Arrival? {
        guard !turn.hasMotionSensor else { return nil }
        let end = silence.end(ignition: turn.ignition)
        guard turn.now >= end else {
            turn.effects.arm(.silence, at: end)
            return nil
        }
        return arrivalBySilence(turn)
    }

    mutating func take(_ fix: AcceptedFix, _ turn: Turn) -> Verdict {
        let now = turn.now
        lastFix = fix
        lastFixAt = now
        silence.fix(at: now)
        rest.add(fix, at: now)
        let provesMovement = fix.provesMovement || rest.isPacing
        var verdict = Verdict()
        if stillness.isStill {
            verdict.outcomes.0 = judge(.fix(fix.position, isFast: provesMovement || fix.showsCreeping), at: now)
        }
        if stillness.isStill, turn.hasMotionSensor, !provesMovement { addToStillness(fix) }
        if !turn.hasMotionSensor, rest.isAtRest != stillness.isStill {
            verdict.outcomes.1 = judge(rest.isAtRest ? .still : .motion, at: now)
        }
        creeping.add(fix)
        if rest.isPacing { place.moveOn() }
        if let proof = place.confirmsStop(fix, restingSince: rest.since, creptAt: creeping.last) {
            verdict.arrival = Boxed(arrival(because: proof.reason(turn.options), turn))
        } else if window.confirmsStop(fix) != nil {
            let span = Int(turn.options.stationaryInterval.inSeconds)
            verdict.arrival = Boxed(arrival(because: "neither distance nor speed in the last \(span) s", turn))
        }
        return verdict
    }

    func apply(_ verdict: Verdict, into effects: inout EffectBuffer) {
        apply(verdict.outcomes.0, into: &effects)
        apply(verdict.outcomes.1, into: &effects)
    }

    /// An arrival with the time and position that the fixes show.
    func arrival(because reason: String, since: Instant? = nil, _ turn: Turn) -> Arrival {
        // The accelerometer measured motion after the last fix, so the rest that the fixes showed has ended.
        let isOutdated = since.flatMap { since in lastFixAt.map { since > $0 } } ?? false
        var (position, rested) = place(stillSince: since)
        // The receiver was off, or had no sky in view, when the vehicle came to rest, so the accelerometer dates the rest.
        if rest.beforeGap != nil, turn.hasMotionSensor, let since = since ?? stillness.since {
            rested = rested.map { min($0, turn.time.time(at: since).time) }
        }
        return Arrival(
            reason: reason, restedSince: isOutdated ? nil : rested, stillSince: since,
            isShaking: isShaking && turn.hasMotionSensor, position: position, lastFix: lastFix,
            points: rest.points, isUnseen: isOutdated || lastFix == nil)
    }

    /// Returns nil for what the fixes do not show. They may be too inaccurate to show a rest that the accelerometer
    /// shows: then their mean is the position, and the accelerometer reports when the rest began.
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

    /// Returns until when the last fix prevents a stop; nil if it does not.
    private func earliestStop(_ turn: Turn) -> Instant? {
        let now = turn.now
        guard let fix = lastFix, let speed = fix.position.speed, let moment = lastFixAt else { return nil }
        if fix.provesMovement, speed > Self.fast, turn.ignition != false {
            return now - moment < Self.tunnel ? moment + Self.tunnel : nil
        }
        let isMoving = fix.provesMovement || fix.showsCreeping
        return isMoving && now - moment <= Self.evidenceLasts ? now + Self.evidenceLasts : nil
    }

    /// With an accelerometer, the vehicle may be in a tunnel if the speed of the last fix was high. Without one, only fixes
    /// show motion, so the vehicle may drive unless the ignition is off; if no fix arrives, `SilenceRule` ends the trip.
    func mayDriveUnseen(_ turn: Turn) -> Bool {
        guard turn.hasMotionSensor else { return turn.ignition ?? true }
        guard let speed = lastFix?.position.speed, let moment = lastFixAt else { return false }
        return speed > Self.fast && turn.now - moment <= Self.tunnel
    }

    private func isDeaf(_ turn: Turn) -> Bool {
        !turn.hasMotionSensor && (lastFixAt.map { turn.now - $0 > Self.evidenceLasts } ?? true)
    }
}

/// Confirms a stop after a long enough time without motion, unless the fixes show that the vehicle moves.
struct StillnessRule: Sendable, Hashable {
    enum Event: Sendable, Hashable {
        /// The accelerometer reports stillness; without one, the fixes show rest.
        case still
        /// The accelerometer reports motion; without one, the fixes show no rest.
        case motion
        /// `isFast` is true if the fix shows movement.
        case fix(Position, isFast: Bool)
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

    /// One fix may have a wrong speed or position.
    private static let minimumProofs = 2

    private let timeout: Duration
    private let radius: Metres
    private var state = State.inMotion

    /// Two fixes in a row end the stillness if each shows movement, or is provably beyond `radius` from where it began.
    init(timeout: Duration, radius: Metres) {
        self.timeout = timeout
        self.radius = radius
    }

    var isStill: Bool { since != nil }

    var since: Instant? { if case .still(let since, _, _) = state { since } else { nil } }

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
            // An earlier fix that showed movement may have postponed the timer.
            return count == 0 && now - since >= timeout ? .arm(at: now) : .none
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

/// Confirms a stop at one place, even if the engine idles.
struct PlaceRule: Sendable, Hashable {
    private struct Anchor: Sendable, Hashable {
        let place: Position
        let time: Timestamp
    }

    enum Proof: Sendable, Hashable {
        /// The fixes were close together for the whole duration.
        case place
        /// The vehicle was also at rest for the whole duration.
        case rest
        /// The fixes were close together for `longStay` times the duration, and the vehicle is at rest now.
        case longStay

        func reason(_ options: TrackingOptions) -> String {
            let (span, radius) = (Int(options.stopDuration.inSeconds), Int(options.stopDistance.value))
            return switch self {
            case .place: "all fixes of the last \(span) s lie within \(radius) m"
            case .rest: "at rest for \(span) s, with all fixes within \(radius) m"
            case .longStay: "all fixes of the last \(PlaceRule.longStay * span) s lie within \(radius) m"
            }
        }
    }

    /// Without proof of rest for the whole duration, the vehicle must stay this many times longer.
    private static let longStay = 3
    /// The least rest at the end of the longer duration; a tractor that turns at the end of a furrow rests for less.
    private static let pause = Duration.seconds(30)

    private let duration: Duration
    private let radius: Metres
    private let requiresRest: Bool
    private var anchor: Anchor?
    private var window: PlaceWindow

    /// With a `duration` of zero, the rule never confirms a stop.
    init(duration: Duration, radius: Metres, requiresRest: Bool) {
        self.duration = duration
        self.radius = radius
        self.requiresRest = requiresRest
        window = PlaceWindow(duration: duration, distance: radius)
    }

    /// The vehicle drives slowly, so the time before does not count for a stop.
    mutating func moveOn() { anchor = nil }

    /// Nil without proof; `rest` is when the present rest began. A vehicle that shunts in a yard or creeps in a queue
    /// also stays within the radius, so with `requiresRest` it must rest without creeping for the whole duration. If
    /// the receiver is too noisy to show this, the vehicle must stay within the radius for three times the duration,
    /// and rest for `pause`.
    mutating func confirmsStop(
        _ fix: AcceptedFix, restingSince rest: Timestamp?, creptAt: Timestamp? = nil
    ) -> Proof? {
        guard duration > .zero else { return nil }
        guard requiresRest else { return window.isFilled(by: fix) ? .place : nil }
        guard let anchor, !fix.position.isProvablyAway(from: anchor.place, by: radius) else {
            self.anchor = Anchor(place: fix.position, time: fix.time)
            return nil
        }
        guard let rest else { return nil }
        let stayed = fix.time - anchor.time
        if stayed >= duration, fix.time - max(rest, creptAt ?? rest) >= duration { return .rest }
        return stayed >= duration * Self.longStay && fix.time - rest >= Self.pause ? .longStay : nil
    }
}

/// Finds creeping even while `RestDetector` reports rest, by two fixes in a row: one may have a wrong speed.
struct CreepDetector: Sendable, Hashable {
    private var wasCreeping = false
    private(set) var last: Timestamp?

    mutating func add(_ fix: AcceptedFix) {
        let isCreeping = fix.provesMovement || fix.showsCreeping
        if isCreeping, wasCreeping { last = fix.time }
        wasCreeping = isCreeping
    }
}
