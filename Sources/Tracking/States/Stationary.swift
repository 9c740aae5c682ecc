import Quantities
import TrackingOptions

/// The vehicle is parked: the receiver is off, and the accelerometer, the ignition or a look at the place may start a trip.
///
/// A *look* powers the receiver for a fix: once after each start of the program, since what happened meanwhile is unknown;
/// again and again where there is no accelerometer, or none that could tell a start, since an engine that idles shakes it
/// already; each `desiredStoppedUpdateInterval`, for a record; and when motion must be confirmed by a displacement.
struct Stationary: Sendable, Hashable {
    /// Time between two looks without an accelerometer: a compromise between a late start and waking up for nothing.
    private static let lookInterval = Duration.seconds(30)
    /// Looks that found no fix grow rarer, up to this.
    private static let longestInterval = Duration.seconds(600)
    /// With an accelerometer nothing is missed: a place that is not known is looked for from time to time.
    private static let placeInterval = Duration.seconds(600)...Duration.seconds(86_400)
    /// An engine that idles is off when it has been still for so long, not in a lull.
    private static let lull = Duration.seconds(10)

    private struct Look: Sendable, Hashable {
        /// Whether its fix becomes a record.
        var isForRecord = false
        /// Whether motion asked for it; then it goes on as long as that lasts.
        var isForMotion = false
        /// When that motion began.
        var began: Instant?
        /// Whether it has found a fix, good enough or not.
        var hasFix = false
        /// When it is given up.
        var until = Instant.boot
    }

    /// When the vehicle was last seen where it is parked.
    private struct Sighting: Sendable, Hashable {
        var time: Timestamp
        var moment: Instant
    }

    private let options: TrackingOptions
    private var delay: MotionDelay
    private var away: AwayRule
    private var gate: AccuracyGate
    private var look: Look?
    /// When a warm-up for motion that must still last is given up; nothing while there is none.
    private var warmUntil: Instant?
    private var isStreaming = false
    private var failedLooks = 0
    private var seenParked: Sighting?
    private var hasMotionSensor: Bool
    private var isShaking: Bool
    private var stillSince: Instant?
    private var isPlaceKnown: Bool

    /// Parks a vehicle after a trip; the receiver has searched in vain if there is no place, and looks for it from time to time.
    init(after arrival: Arrival, at place: Position?, _ options: TrackingOptions, hasMotionSensor: Bool) {
        self.init(
            options, hasMotionSensor: hasMotionSensor, isShaking: arrival.isShaking,
            isPlaceKnown: place.map { !$0.isVague } ?? false)
        failedLooks = place == nil ? 1 : 0
    }

    init(_ options: TrackingOptions, hasMotionSensor: Bool, isShaking: Bool = false, isPlaceKnown: Bool = true) {
        self.options = options
        self.isPlaceKnown = isPlaceKnown
        self.hasMotionSensor = hasMotionSensor
        self.isShaking = isShaking
        isStreaming = isShaking
        delay = MotionDelay(delay: options.motionTriggerDelay)
        away = AwayRule(options)
        gate = AccuracyGate(options)
    }

    /// What to do on entering the state.
    func enter(at now: Instant) -> [Step] {
        [.perform(.motionSensor(isStreaming: isShaking))] + nextLook(at: now) + nextUpdate(at: now)
            + nextHeartbeat(at: now)
    }

    /// The vehicle stays parked under other options; a look that is under way is begun anew.
    mutating func follow(_ options: TrackingOptions, at now: Instant) -> [Step] {
        var next = Stationary(
            options, hasMotionSensor: hasMotionSensor, isShaking: isShaking, isPlaceKnown: isPlaceKnown)
        next.stillSince = stillSince
        next.failedLooks = failedLooks
        next.seenParked = seenParked
        var steps = next.enter(at: now)
        if let look {
            let again = Look(isForRecord: look.isForRecord, isForMotion: look.isForMotion, began: look.began)
            steps += next.begin(again, at: now)
        } else if !isPlaceKnown, !self.options.powersReceiver {
            steps += next.begin(Look(), at: now)
        }
        steps += next.listen()
        self = next
        return steps
    }

    mutating func handle(_ input: Input, state: EngineState, at now: Instant) -> [Step] {
        isPlaceKnown = state.parked.map { !$0.isVague } ?? false
        switch input {
        case .started:
            // Whatever was under way was forgotten with the last run, or when tracking was switched off.
            self = Stationary(options, hasMotionSensor: hasMotionSensor, isPlaceKnown: isPlaceKnown)
            return [.perform(.motionSensor(isStreaming: false))] + begin(Look(), at: now) + nextUpdate(at: now)
                + nextHeartbeat(at: now)
        case .timer(.check):
            return begin(Look(), at: now)
        case .timer(.update):
            return begin(Look(isForRecord: true), at: now) + nextUpdate(at: now)
        case .timer(.heartbeat):
            return [.record(.ping)] + nextHeartbeat(at: now)
        case .timer(.fixTimeout):
            return look == nil ? warmUpTimedOut(at: now) : lookTimedOut(at: now)
        case .fix(let fix):
            return judge(fix, state: state, at: now)
        case .motion(let isMoving):
            return judge(isMoving: isMoving, at: now)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            return look == nil ? nextLook(at: now) : []
        case .ignition(isOn: true):
            return [.depart(Departure(reason: "the ignition is on"))]
        case .move:
            return [.depart(Departure(reason: "it was told to"))]
        case .stay, .ignition(isOn: false), .timer:
            return []
        }
    }

    // MARK: Motion

    private mutating func judge(isMoving: Bool, at now: Instant) -> [Step] {
        if isShaking {
            stillSince = isMoving ? nil : stillSince ?? now
            guard let stillSince, now - stillSince >= Self.lull else { return [] }
            isShaking = false
            return listen() + nextLook(at: now)
        }
        guard let began = delay.began(isMoving: isMoving, at: now), delay.isOver(at: now) else {
            return delay.isWaiting ? warmUp(at: now) : coolDown()
        }
        guard options.useStoppedGeofence, options.powersReceiver else {
            return [.depart(Departure(reason: "the accelerometer shows motion", cause: .motion, began: began))]
        }
        warmUntil = nil
        return begin(Look(isForMotion: true, began: began), at: now) + listen()
    }

    /// The receiver warms up while motion waits to be believed, so that no metres are lost.
    private mutating func warmUp(at now: Instant) -> [Step] {
        guard warmUntil == nil else { return [] }
        let until = now + options.fixTimeout
        warmUntil = until
        guard look == nil else { return listen() }
        let on: [Step] = options.powersReceiver ? [.receiver(isOn: true)] : []
        return listen() + on + [.perform(.arm(.fixTimeout, at: until))]
    }

    private mutating func coolDown() -> [Step] {
        guard warmUntil != nil else { return [] }
        warmUntil = nil
        let span = Int(options.motionTriggerDelay.inSeconds)
        let off: [Step] = look == nil ? [.perform(.cancel(.fixTimeout)), .receiver(isOn: false)] : []
        return listen() + off + [.perform(.decided(Decision(.start, "not yet: motion was shorter than \(span) s")))]
    }

    /// Motion began, and whether it lasts was never said: an accelerometer may fall silent.
    private mutating func warmUpTimedOut(at now: Instant) -> [Step] {
        guard let until = warmUntil, now >= until else { return [] }
        guard delay.isRecent(at: now) else { return coolDown() }
        warmUntil = now + options.fixTimeout
        return [.perform(.arm(.fixTimeout, at: now + options.fixTimeout))]
    }

    /// The accelerometer streams while something hangs on whether motion lasts; else it only wakes the program.
    private mutating func listen() -> [Step] {
        let isNeeded = isShaking || warmUntil != nil || look?.isForMotion ?? false
        guard isNeeded != isStreaming else { return [] }
        isStreaming = isNeeded
        return [.perform(.motionSensor(isStreaming: isNeeded))]
    }

    // MARK: Looks

    private mutating func begin(_ wanted: Look, at now: Instant) -> [Step] {
        guard options.powersReceiver else { return [] }
        let isForRecord = look?.isForRecord ?? false || wanted.isForRecord
        if let look, look.isForMotion || !wanted.isForMotion {
            self.look?.isForRecord = isForRecord
            return []
        }
        if look == nil {
            away = AwayRule(options)
            gate.close(at: now)
        }
        // Motion asks anew where the vehicle is: what was seen before it says nothing.
        let until = now + Acquisition.timeout(options.fixTimeout, isCold: !isPlaceKnown, failures: failedLooks)
        look = wanted
        look?.isForRecord = isForRecord
        look?.until = until
        return [.receiver(isOn: true), .perform(.arm(.fixTimeout, at: until))]
    }

    private mutating func judge(_ fix: AcceptedFix, state: EngineState, at now: Instant) -> [Step] {
        look?.hasFix = true
        switch away.judge(fix, parkedAt: state.parked) {
        case .moving(let reason):
            // Motion that began after it was last seen parked is when it left.
            let seen = seenParked.flatMap { sighting in
                look?.began.map { $0 > sighting.moment } ?? false ? nil : sighting.time
            }
            return [
                .depart(Departure(reason: reason, position: fix.position, parkedUntil: seen, began: look?.began))
            ]
        case .undecided:
            return []
        case .parked:
            failedLooks = 0
            seenParked = Sighting(time: fix.time, moment: now)
            let isNews = state.parked.map { $0.isVague && fix.position.error < $0.error } ?? true
            let here: [Step] = isNews ? [.parked(at: fix)] : []
            return here + record(fix, state: state, at: now)
                + endLookIfDone(because: "the vehicle is where it was parked", at: now)
        }
    }

    private mutating func record(_ fix: AcceptedFix, state: EngineState, at now: Instant) -> [Step] {
        if look?.isForRecord ?? false {
            guard let good = gate.pass(fix, at: now).last else { return [] }
            look?.isForRecord = false
            return [.keep(good)]
        }
        // A fix that is there for another reason.
        let interval = options.fastestStoppedUpdateInterval
        guard interval > .zero, state.lastRecorded.map({ fix.time - $0.time >= interval }) ?? true else { return [] }
        return [.keep(fix)]
    }

    private mutating func endLookIfDone(because reason: String, at now: Instant) -> [Step] {
        guard let look, !look.isForRecord, !(look.isForMotion && delay.isRecent(at: now)) else { return [] }
        return endLook(because: reason, at: now)
    }

    private mutating func lookTimedOut(at now: Instant) -> [Step] {
        guard let look, now >= look.until else { return [] }
        failedLooks += 1
        if look.isForMotion, !look.hasFix, delay.isRecent(at: now) {
            return [.depart(Departure(reason: "motion lasts, and no fix says where the vehicle is", cause: .motion))]
        }
        var kept: [Step] = []
        if look.isForRecord {
            kept = [gate.secondBest.map { .keep($0) } ?? .record(.providerchange(ProviderChange(.noFix)))]
        }
        let span = Int(options.fixTimeout.inSeconds)
        return kept + endLook(because: "no fix within \(span) s that settles where the vehicle is", at: now)
    }

    private mutating func endLook(because reason: String, at now: Instant) -> [Step] {
        look = nil
        // Motion that must still last keeps it warm.
        if let warmUntil { return [.perform(.arm(.fixTimeout, at: warmUntil))] + nextLook(at: now) }
        return [
            .perform(.cancel(.fixTimeout)), .perform(.decided(Decision(.receiver, "off: \(reason)"))),
            .receiver(isOn: false),
        ] + listen() + nextLook(at: now)
    }

    // MARK: Timers

    private func nextLook(at now: Instant) -> [Step] {
        if hasMotionSensor, !isShaking {
            guard !isPlaceKnown, failedLooks > 0 else { return [.perform(.cancel(.check))] }
            let (first, longest) = (Self.placeInterval.lowerBound, Self.placeInterval.upperBound)
            return [.perform(.arm(.check, at: now + min(first * (1 << min(failedLooks - 1, 10)), longest)))]
        }
        let pause = min(Self.lookInterval * (1 << min(failedLooks, 10)), Self.longestInterval)
        return [.perform(.arm(.check, at: now + pause))]
    }

    private func nextUpdate(at now: Instant) -> [Step] {
        let interval = options.desiredStoppedUpdateInterval
        return interval > .zero ? [.perform(.arm(.update, at: now + interval))] : []
    }

    private func nextHeartbeat(at now: Instant) -> [Step] {
        let interval = options.heartbeatInterval
        return interval > .zero ? [.perform(.arm(.heartbeat, at: now + interval))] : []
    }
}
