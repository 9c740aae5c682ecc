import Quantities
import TrackingOptions

/// Puts the rules that confirm a stop together: any of them suffices, and each hears what speaks against it.
struct StopRules: Sendable {
    /// Without an accelerometer only fixes show stillness; one that is older than this shows nothing: a tunnel is no stop.
    private static let evidenceLasts = Duration.seconds(10)

    private let options: TrackingOptions
    private var stillness: StillnessRule
    private var place: PlaceRule
    private var window: WindowRule
    private var silence: SilenceRule
    private var rest: Rest
    /// Where the vehicle was while the accelerometer felt nothing.
    private var still: FixMean?
    private var isShaking = false
    /// The last fix that came.
    private(set) var lastFix: AcceptedFix?
    private var lastFixAt: Instant?
    private var hasMotionSensor: Bool

    init(_ options: TrackingOptions, hasMotionSensor: Bool, at now: Instant) {
        self.options = options
        self.hasMotionSensor = hasMotionSensor
        stillness = StillnessRule(
            timeout: options.stopDetectionDelay + options.stopTimeout, radius: options.stopDistance)
        place = PlaceRule(duration: options.stopDuration, radius: options.stopDistance)
        window = WindowRule(
            interval: options.stationaryInterval, distance: options.stationaryDistance, speed: options.stationarySpeed)
        silence = SilenceRule(from: now)
        rest = Rest(points: options.arrivalPoints)
    }

    /// Whether the fixes show the vehicle at rest.
    var isAtRest: Bool { rest.isAtRest }

    /// What to do on entering Moving.
    func enter(at now: Instant) -> [Step] {
        hasMotionSensor ? [] : [.perform(.arm(.silence, at: now + SilenceRule.longest))]
    }

    mutating func motionSensor(isThere: Bool, at now: Instant) -> [Step] {
        hasMotionSensor = isThere
        isShaking = isShaking && isThere
        return isThere ? [.perform(.cancel(.silence))] : enter(at: now)
    }

    mutating func motion(isMoving: Bool, at now: Instant) -> [Step] {
        isShaking = isMoving
        return judge(isMoving ? .motion : .still, at: now)
    }

    mutating func timer(_ kind: TimerKind, at now: Instant) -> [Step] {
        guard kind == .silence else { return judge(isDeaf(at: now) ? .motion : .timer, at: now) }
        guard !hasMotionSensor else { return [] }
        let (confirmsStop, again) = silence.timer(at: now)
        guard confirmsStop else { return [.perform(.arm(.silence, at: again))] }
        return [.arrive(arrival(because: "no fix for \(Int(SilenceRule.longest.inSeconds / 60)) minutes"))]
    }

    mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Step] {
        (lastFix, lastFixAt) = (fix, now)
        silence.fix(at: now)
        rest.add(fix)
        var steps = judge(.fix(fix.position, isFast: fix.provesMovement), at: now)
        if stillness.isStill, hasMotionSensor, !fix.provesMovement { addToStillness(fix) }
        if !hasMotionSensor { steps += judge(rest.isAtRest ? .still : .motion, at: now) }
        if place.confirmsStop(fix, restingSince: rest.place?.since) {
            let (span, radius) = (Int(options.stopDuration.inSeconds), Int(options.stopDistance.value))
            steps.append(.arrive(arrival(because: "all fixes of the last \(span) s lie within \(radius) m")))
        } else if window.confirmsStop(fix) != nil {
            let span = Int(options.stationaryInterval.inSeconds)
            steps.append(.arrive(arrival(because: "neither way nor speed in the last \(span) s")))
        }
        return steps
    }

    /// A stop that is confirmed for this reason, with what the fixes know of it.
    func arrival(because reason: String, since: Instant? = nil) -> Arrival {
        // What the accelerometer felt after the last fix is news: the rest that the fixes saw was over then.
        let isOutdated = since.flatMap { since in lastFixAt.map { since > $0 } } ?? false
        let (position, rested) = place(stillSince: since)
        return Arrival(
            reason: reason, restedSince: isOutdated ? nil : rested, stillSince: since,
            isShaking: isShaking && hasMotionSensor, position: position, lastFix: lastFix, points: rest.points,
            isUnseen: isOutdated || lastFix == nil)
    }

    /// Fixes that are too bad to show a rest tell where it was all the same, once the accelerometer has felt it: then
    /// all of them count, and the accelerometer knows since when.
    private func place(stillSince: Instant?) -> (position: Position?, restedSince: Timestamp?) {
        guard stillSince != nil, let still, rest.place.map({ $0.since > still.first.time }) ?? true else {
            return (rest.place?.position, rest.place?.since)
        }
        return (still.position, nil)
    }

    private mutating func addToStillness(_ fix: AcceptedFix) {
        if still == nil { still = FixMean(fix) } else { still?.add(fix) }
    }

    private mutating func judge(_ event: StillnessRule.Event, at now: Instant) -> [Step] {
        let outcome = stillness.handle(event, at: now)
        if !stillness.isStill { still = nil }
        switch outcome {
        case .nothing: return []
        case .arm(let moment): return [.perform(.arm(.stillness, at: moment))]
        case .cancel: return [.perform(.cancel(.stillness))]
        case .confirmStop(let since):
            return [.arrive(arrival(because: "no motion for \(Int((now - since).inSeconds)) s", since: since))]
        }
    }

    /// Whether nothing at present could tell that the vehicle moves.
    private func isDeaf(at now: Instant) -> Bool {
        !hasMotionSensor && (lastFixAt.map { now - $0 > Self.evidenceLasts } ?? true)
    }
}
