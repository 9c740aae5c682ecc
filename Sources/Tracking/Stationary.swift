import Quantities

/// The vehicle is parked: the receiver is off, and the accelerometer, the ignition or a look at the place may start a trip.
///
/// A *look* powers the receiver for a fix: once after each start of the program, since what happened meanwhile is unknown,
/// and again and again where there is no accelerometer, or none that could tell a start: while the engine idles after a
/// stop, it shakes already.
struct Stationary: Sendable, Hashable {
    /// Time between two looks without an accelerometer: a compromise between a late start and waking up for nothing.
    private static let lookInterval = Duration.seconds(30)
    /// Looks that found no fix grow rarer, up to this.
    private static let longestInterval = Duration.seconds(600)

    private let options: TrackingOptions
    private var delay: MotionDelay
    private var away: AwayRule
    private var isLooking = false
    private var failedLooks = 0
    private var lastSeenParked: Timestamp?
    private var hasMotionSensor: Bool
    private var isShaking: Bool

    init(_ options: TrackingOptions, hasMotionSensor: Bool, isShaking: Bool = false) {
        self.options = options
        self.hasMotionSensor = hasMotionSensor
        self.isShaking = isShaking
        delay = MotionDelay(delay: options.motionTriggerDelay)
        away = AwayRule(radius: options.stationaryRadius)
    }

    /// What to do on entering the state.
    func enter(at now: Instant) -> [Step] {
        [.perform(.motionSensor(isStreaming: isShaking))] + nextLook(at: now)
    }

    mutating func handle(_ input: Input, parkedAt place: Coordinate?, at now: Instant) -> [Step] {
        switch input {
        case .started:
            return [.perform(.motionSensor(isStreaming: false))] + look(at: now)
        case .timer(.check):
            return look(at: now)
        case .timer(.fixTimeout):
            guard isLooking else { return [] }
            failedLooks += 1
            return endLook(
                because: "no fix within \(Int(options.fixTimeout.inSeconds)) s that settles where the vehicle is",
                at: now)
        case .fix(let fix):
            return judge(fix, parkedAt: place, at: now)
        case .motion(let isMoving):
            return judge(isMoving: isMoving, at: now)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            return isLooking ? [] : nextLook(at: now)
        case .ignitionOn:
            return [.depart(Departure(reason: "the ignition is on"))]
        case .command(.move):
            return [.depart(Departure(reason: "it was told to"))]
        case .command(.stay), .timer(.stillness), .timer(.silence):
            return []
        }
    }

    private mutating func judge(isMoving: Bool, at now: Instant) -> [Step] {
        if isShaking {
            guard !isMoving else { return [] }
            isShaking = false
            return enter(at: now)
        }
        return delay.isOver(isMoving: isMoving, at: now)
            ? [.depart(Departure(reason: "the accelerometer shows motion"))] : []
    }

    private mutating func look(at now: Instant) -> [Step] {
        guard !isLooking else { return [] }
        isLooking = true
        away = AwayRule(radius: options.stationaryRadius)
        return [.perform(.receiver(isOn: true)), .perform(.arm(.fixTimeout, at: now + options.fixTimeout))]
    }

    private mutating func judge(_ fix: AcceptedFix, parkedAt place: Coordinate?, at now: Instant) -> [Step] {
        switch away.judge(fix, parkedAt: place) {
        case .moving(let reason):
            return [.depart(Departure(reason: reason, position: fix.position, parkedUntil: lastSeenParked))]
        case .undecided:
            return []
        case .parked:
            failedLooks = 0
            lastSeenParked = fix.time
            let here: [Step] = place == nil ? [.parked(at: fix)] : []
            return here + (isLooking ? endLook(because: "the vehicle is where it was parked", at: now) : [])
        }
    }

    private mutating func endLook(because reason: String, at now: Instant) -> [Step] {
        isLooking = false
        let off: [Step] = [
            .perform(.cancel(.fixTimeout)),
            .perform(.decided(Decision(.receiver, "off: \(reason)"))),
            .perform(.receiver(isOn: false)),
        ]
        return off + nextLook(at: now)
    }

    private func nextLook(at now: Instant) -> [Step] {
        guard !hasMotionSensor || isShaking else { return [.perform(.cancel(.check))] }
        let pause = min(Self.lookInterval * (1 << min(failedLooks, 10)), Self.longestInterval)
        return [.perform(.arm(.check, at: now + pause))]
    }
}
