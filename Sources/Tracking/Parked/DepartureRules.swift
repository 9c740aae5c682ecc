import Quantities
import TrackingOptions

/// Decides from fixes alone whether the parked vehicle has departed.
struct DepartureRule: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        case parked
        case parkedElsewhere(Position)
        case moving(because: String, Departure.Cause = .certain)
        case undecided
    }

    /// The vehicle may have just departed if it is farther than this from the parked place, or faster than `slow`.
    private static let nearby = DisplacementRule.distance
    private static let slow = MetresPerSecond(1)
    /// Fixes that stay ambiguous for this time count as parked, however many a receiver sends in a second.
    private static let patience = Duration.seconds(10)
    /// A higher average speed since the last fix that showed the vehicle parked proves the departure. At least
    /// `leapTime` must lie between the two fixes, because a reflected signal displaces a fix suddenly.
    private static let leapSpeed = MetresPerSecond(2)
    private static let leapTime = Duration.seconds(20)
    /// The longest gap between two fixes that show whether the vehicle moves after an unseen move.
    private static let sparse = Duration.seconds(90)
    private static let largestLeapError = Metres(20)

    private let circle: Metres?
    private let radius: Metres
    private var displacement = DisplacementRule()
    private var pace = PaceRule()
    private var doubtSince: Instant?
    private var fastCount = 0
    private var farCount = 0
    private var leapCount = 0
    /// The last fix, if it showed walking pace shortly after the accelerometer showed motion.
    private var crept: AcceptedFix?

    /// A place proves a departure if it is outside the start circle or, if there is none, farther away than
    /// `stationaryRadius`.
    init(_ options: TrackingOptions) {
        circle = options.startCircle
        radius = options.startCircle ?? options.stationaryRadius
    }

    /// Each proof needs two fixes in a row, because the first fixes of a receiver may be wrong. After an unseen move,
    /// the distance from the parked place does not show whether the vehicle moves now. If the accelerometer has just shown
    /// motion (`isFelt`), slower fixes are enough, but a gust of wind may have caused it.
    mutating func judge(
        _ fix: AcceptedFix, parkedAt place: Position?, isFelt: Bool = false, isUnseenMove: Bool = false,
        sightings: ParkedSightings = ParkedSightings(), at now: Instant
    ) -> Verdict {
        let apart = place?.coordinate.distance(to: fix.coordinate) ?? .zero
        let distance = place.map { $0.isVague ? max(.zero, apart - $0.error) : apart } ?? .zero
        // Inside the circle the vehicle is parked, whatever its speed.
        if let circle, distance <= circle {
            (fastCount, farCount, leapCount, crept, doubtSince) = (0, 0, 0, nil, nil)
            (displacement, pace) = (DisplacementRule(), PaceRule())
            return .parked
        }
        fastCount = fix.provesMovement ? fastCount + 1 : 0
        farCount = !isUnseenMove && distance > radius + (fix.position.accuracy ?? .zero) ? farCount + 1 : 0
        if fastCount >= 2 { return .moving(because: "two fixes show speed") }
        if farCount >= 2 { return .moving(because: "the vehicle is \(Int(distance.value)) m from where it was parked") }
        if isFelt, hasCrept(to: fix) {
            return .moving(because: "the accelerometer shows motion, and two fixes show walking pace", .motion)
        }
        crept = isFelt && fix.showsCreeping ? fix : nil
        if pace.isMoving(fix, at: now) { return .moving(because: "the distance between the fixes matches their speed") }
        leapCount = !isUnseenMove && hasLeapt(to: fix, from: sightings.last, at: now) ? leapCount + 1 : 0
        let limit = max(Self.nearby, sightings.wander)
        let gap = isUnseenMove ? Self.sparse : DisplacementRule.longestGap
        let away =
            place.map { displacement.judge(fix, parkedAt: $0, beyond: limit, longestGap: gap, at: now) } ?? .none
        if leapCount >= 2, away != .none {
            return .moving(because: "the vehicle has moved \(Int(distance.value)) m since the last position check")
        }
        switch away {
        case .moving: return .moving(because: "the vehicle moves, \(Int(distance.value)) m from where it was parked")
        case .standing(let position) where fastCount + farCount + leapCount == 0: return .parkedElsewhere(position)
        case .standing, .undecided: return .undecided
        case .none: return fastCount + farCount > 0 ? .undecided : judgeNear(fix, distance: distance, at: now)
        }
    }

    /// Returns whether the vehicle has been driven since the last check; it may stand again now.
    private func hasLeapt(to fix: AcceptedFix, from seen: ParkedFix?, at now: Instant) -> Bool {
        guard let seen, now - seen.moment >= Self.leapTime,
            max(seen.position.error, fix.position.error) <= Self.largestLeapError
        else { return false }
        let driven = Metres(Self.leapSpeed.value * (now - seen.moment).inSeconds)
        return seen.position.coordinate.distance(to: fix.coordinate) > driven + seen.position.error + fix.position.error
    }

    /// Returns whether the last fix and this one show walking pace, and are apart as far as that.
    private func hasCrept(to fix: AcceptedFix) -> Bool {
        guard let crept, fix.showsCreeping, let speed = fix.position.speed else { return false }
        let way = speed.value * (fix.time - crept.time).inSeconds
        let distance = crept.coordinate.distance(to: fix.coordinate)
        return distance.value >= way * PaceRule.share
            && distance <= Metres(way) + crept.position.error + fix.position.error
    }

    private mutating func judgeNear(_ fix: AcceptedFix, distance: Metres, at now: Instant) -> Verdict {
        let isNear = distance <= max(Self.nearby, (fix.position.accuracy ?? .zero) * 3)
        guard !isNear || (fix.position.speed ?? .zero) > Self.slow else {
            doubtSince = nil
            return .parked
        }
        let since = doubtSince ?? now
        doubtSince = since
        return now - since < Self.patience ? .undecided : .parked
    }
}

extension Departure {
    /// At a lower speed, the time of the drive cannot be computed.
    private static let driving = MetresPerSecond(1)

    /// The departure is when the motion began, if that was after the last fix at rest. Otherwise speed and distance of
    /// the fix date it, but not before the last fix at rest, which dates it if there is no usable speed. Without a fix at
    /// rest, the fixes do not date the departure.
    init(_ reason: String, shownBy fix: AcceptedFix, from place: Position?, lastSeen: ParkedFix?, motionBegan: Instant?)
    {
        let seen = lastSeen.flatMap { seen in motionBegan.map { $0 > seen.moment } ?? false ? nil : seen.time }
        let left = place.flatMap { Self.start(of: fix, from: $0.coordinate) }
        let until = seen.map { seen in left.map { max(seen, min($0, fix.time)) } ?? seen }
        self.init(reason: reason, fix: fix, parkedUntil: until, began: motionBegan)
    }

    /// Assumes a constant acceleration up to the fix's speed; nil if that is unknown or too low.
    private static func start(of fix: AcceptedFix, from place: Coordinate) -> Timestamp? {
        guard let speed = fix.position.speed, speed >= driving else { return nil }
        return fix.time - Duration(inSeconds: 2 * place.distance(to: fix.coordinate).value / speed.value)
    }
}

struct MotionConfirmation: Sendable, Hashable {
    /// Verdicts arrive each second; if none reports motion for this time, the motion has ended.
    private static let longestGap = Duration.seconds(5)

    private struct Burst: Sendable, Hashable {
        let began: Instant
        let last: Instant
    }

    private let delay: Duration
    private var burst: Burst?

    /// If the delay is zero, any motion is enough.
    init(delay: Duration) { self.delay = delay }

    var isWaiting: Bool { burst.map { $0.last - $0.began < delay } ?? false }

    /// Nil without motion. An `onset` (of the first active window) more than `longestGap` ago is ignored.
    mutating func began(isMoving: Bool, onset: Instant? = nil, at now: Instant) -> Instant? {
        guard isMoving else {
            burst = nil
            return nil
        }
        let current = burst.flatMap { now - $0.last <= Self.longestGap ? $0 : nil }
        let recent = onset.flatMap { now - $0 <= Self.longestGap ? $0 : nil }
        let began = current?.began ?? recent ?? now
        burst = Burst(began: began, last: now)
        return began
    }

    func isOver(at now: Instant) -> Bool { burst.map { now - $0.began >= delay } ?? false }

    func isPending(at now: Instant) -> Bool { isRecent(at: now) && !isOver(at: now) }

    func isRecent(at now: Instant) -> Bool { burst.map { now - $0.last <= Self.longestGap } ?? false }
}

struct ParkedFix: Sendable {
    let time: Timestamp
    let moment: Instant
    let position: Position
}

/// The fixes of the parked vehicle show how far away a fix must be to prove a departure.
struct ParkedSightings: Sendable {
    private(set) var last: ParkedFix?
    private(set) var wander = Metres.zero
    private var corrections = 0

    /// Fixes with at most this error wander less than `DisplacementRule.distance`.
    private static let openSky = Metres(10)
    /// Reflected signals may displace a fix by this many times its stated error.
    private static let understated = 6.0

    /// `wander` rises to the distance of a poor fix that counts as parked, but at most to `understated` times its error.
    mutating func add(_ fix: AcceptedFix, near place: Position?, at now: Instant) {
        last = ParkedFix(time: fix.time, moment: now, position: fix.position)
        guard let place, !place.isVague, fix.position.error > Self.openSky else { return }
        let distance = place.coordinate.distance(to: fix.coordinate)
        wander = max(wander, min(distance, fix.position.error * Self.understated))
    }

    /// The first correction may be due to somebody who moved the vehicle; a second shows that the receiver's fixes wander.
    mutating func addCorrection(of distance: Metres) {
        corrections += 1
        if corrections > 1 { wander = max(wander, distance) }
    }
}
