import Quantities

/// The vehicle is on its way: the receiver is on, fixes are sampled, and the stop rules watch.
struct Moving: Sendable {
    /// Without an accelerometer only fixes show stillness; one that is older than this shows nothing: a tunnel is no stop.
    private static let evidenceLasts = Duration.seconds(10)
    /// Without an accelerometer and without a fix for so long, the vehicle is taken to stand where no sky is.
    private static let longestSilence = Duration.seconds(1800)

    private let options: TrackingOptions
    private let distance: DistanceRule
    private var stillness: StillnessRule
    private var place: PlaceRule
    private var rest = Rest()
    private var isShaking = false
    private var last: (fix: AcceptedFix, at: Instant)?
    private var hasMotionSensor: Bool

    init(_ options: TrackingOptions, hasMotionSensor: Bool) {
        self.options = options
        self.hasMotionSensor = hasMotionSensor
        distance = DistanceRule(options)
        stillness = StillnessRule(
            timeout: options.stopDetectionDelay + options.stopTimeout, radius: options.stopDistance)
        place = PlaceRule(duration: options.stopDuration, radius: options.stopDistance)
    }

    /// What to do on entering the state.
    func enter() -> [Step] { [.perform(.motionSensor(isStreaming: true)), .perform(.receiver(isOn: true))] }

    mutating func handle(_ input: Input, state: inout EngineState, at now: Instant) -> [Step] {
        switch input {
        case .started:
            return enter()
        case .fix(let fix):
            return take(fix, state: &state, at: now)
        case .motion(let isMoving):
            isShaking = isMoving
            return judge(isMoving ? .motion : .still, at: now)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            return []
        case .timer(.stillness):
            return judge(isDeaf(at: now) ? .motion : .timer, at: now)
        case .timer(.silence):
            guard !hasMotionSensor, now - (last?.at ?? now) >= Self.longestSilence else { return [] }
            return [
                .arrive(arrival(because: "no fix for \(Int(Self.longestSilence.inSeconds / 60)) minutes", since: nil))
            ]
        case .command(.stay):
            return [.arrive(arrival(because: "it was told to", since: nil))]
        case .command(.move), .ignitionOn, .timer(.check), .timer(.fixTimeout):
            return []
        }
    }

    private mutating func take(_ fix: AcceptedFix, state: inout EngineState, at now: Instant) -> [Step] {
        last = (fix, now)
        rest.add(fix)
        state.odometer.add(fix, isAtRest: rest.isAtRest)
        var steps = wants(fix, after: state.lastRecorded) ? [Step.keep(fix)] : []
        steps += judge(.fix(fix.position, isFast: fix.provesMovement), at: now)
        if !hasMotionSensor {
            steps += judge(rest.isAtRest ? .still : .motion, at: now)
            steps.append(.perform(.arm(.silence, at: now + Self.longestSilence)))
        }
        // Who shunts in a yard stays in one place too: a stop also needs rest.
        if place.confirmsStop(fix), rest.isAtRest {
            let (span, radius) = (Int(options.stopDuration.inSeconds), Int(options.stopDistance.value))
            let reason = "all fixes of the last \(span) s lie within \(radius) m"
            steps.append(.arrive(arrival(because: reason, since: nil)))
        }
        return steps
    }

    private func wants(_ fix: AcceptedFix, after last: EngineState.Recorded?) -> Bool {
        guard let last else { return true }
        let elapsed = fix.time - last.time
        // Negative: the last record was dated by a system clock that ran ahead.
        let isDue = elapsed < .zero || elapsed >= options.fastestMovingUpdateInterval
        return isDue && !rest.isAtRest && distance.wants(fix, after: last.coordinate)
    }

    private mutating func judge(_ event: StillnessRule.Event, at now: Instant) -> [Step] {
        switch stillness.handle(event, at: now) {
        case .nothing: return []
        case .arm(let moment): return [.perform(.arm(.stillness, at: moment))]
        case .cancel: return [.perform(.cancel(.stillness))]
        case .confirmStop(let since):
            let span = Int((now - since).inSeconds)
            return [.arrive(arrival(because: "no motion for \(span) s", since: since))]
        }
    }

    /// Whether nothing at present could tell that the vehicle moves.
    private func isDeaf(at now: Instant) -> Bool {
        !hasMotionSensor && (last.map { now - $0.at > Self.evidenceLasts } ?? true)
    }

    private func arrival(because reason: String, since: Instant?) -> Arrival {
        // What the accelerometer felt after the last fix is news: the rest that the fixes saw was over then.
        let isOutdated = since.flatMap { since in last.map { since > $0.at } } ?? false
        return Arrival(
            reason: reason, restedSince: isOutdated ? nil : rest.place?.since, stillSince: since,
            isShaking: isShaking && hasMotionSensor, position: rest.place?.position, lastFix: last?.fix)
    }
}
