import Quantities
import TrackingOptions

/// Finds by fixes where and when the vehicle comes to rest, and when it moves on. A rest, such as at a red light, is
/// not a stop yet, but a stop that is confirmed later gets the position and the time of the rest.
struct RestDetector: Sendable, Hashable {
    private static let slow = MetresPerSecond(0.8)
    /// Two faster fixes in a row, away from the place of rest, end the rest.
    private static let fast = MetresPerSecond(1.5)
    /// Fast fixes end the rest only beyond this distance and their error, because a drifting receiver reports speeds too.
    private static let away = Metres(10)
    /// If a fix is farther away than this, and than three times its error, the rest ends at any speed.
    private static let leeway = Metres(20)
    /// A missing speed is computed from the distance to an earlier fix of at least this age.
    private static let baseline = Duration.seconds(5)
    private static let longestGap = Duration.seconds(10)

    /// The least time between points; more points add no value for a server.
    private static let pointInterval = Duration.seconds(20)

    private let maximumPoints: Int
    /// The fixes at rest; nil while the vehicle moves. They are boxed, so that the check for nil at each fix copies nothing.
    private var cluster: Boxed<FixMean>?
    private(set) var points: [AcceptedFix] = []
    private var fastCount = 0
    private var earlier: [AcceptedFix] = []
    /// The speed limit is lower than for a departure, because the vehicle is already on a trip.
    private var pace = PaceRule(beyond: MetresPerSecond(0.7))
    /// True if the last fixes show a slow drive: a hop in a queue, or field work.
    private(set) var isPacing = false
    private var last: AcceptedFix?
    /// The last fix before the first at rest, if it came more than `longestGap` earlier: the receiver rested, or saw no sky.
    private(set) var beforeGap: AcceptedFix?

    var isAtRest: Bool { cluster != nil }

    /// The weighted mean of the fixes since the vehicle came to rest; nil while it moves.
    var position: Position? { cluster?.value.position }

    var since: Timestamp? { cluster?.value.first.time }

    init(maximumPoints: Int = 0) { self.maximumPoints = maximumPoints }

    mutating func add(_ fix: AcceptedFix, at now: Instant) {
        isPacing = pace.isMoving(fix, at: now)
        let before = last
        last = fix
        let speed = fix.position.speed ?? speedFromPlaces(at: fix)
        guard let distance = cluster?.value.coordinate.distance(to: fix.coordinate) else {
            guard let speed, speed < Self.slow, !isPacing else { return }
            cluster = Boxed(FixMean(fix))
            beforeGap = before.flatMap { fix.time - $0.time > Self.longestGap ? $0 : nil }
            points = maximumPoints > 0 ? [fix] : []
            return
        }
        fastCount = (speed ?? .zero) > Self.fast ? fastCount + 1 : 0
        let error = fix.position.accuracy ?? .zero
        let hasLeft = isPacing || fastCount >= 2 && distance > max(Self.away, error)
        guard !hasLeft, distance <= max(Self.leeway, error * 3) else {
            cluster = nil
            points = []
            fastCount = 0
            return
        }
        guard fastCount == 0 else { return }
        cluster?.value.add(fix)
        guard points.count < maximumPoints, let last = points.last, fix.time - last.time >= Self.pointInterval else {
            return
        }
        points.append(fix)
    }

    private mutating func speedFromPlaces(at fix: AcceptedFix) -> MetresPerSecond? {
        earlier.append(fix)
        while earlier.count > 2, fix.time - earlier[1].time >= Self.baseline { earlier.removeFirst() }
        let elapsed = fix.time - earlier[0].time
        guard elapsed >= Self.baseline else { return nil }
        return MetresPerSecond(earlier[0].coordinate.distance(to: fix.coordinate).value / elapsed.inSeconds)
    }
}

/// The mean of fixes, weighted by the inverse squares of their errors.
struct FixMean: Sendable, Hashable {
    let first: AcceptedFix
    private var weight = 0.0
    private var east = 0.0
    private var north = 0.0
    private var squares = 0.0

    init(_ fix: AcceptedFix) {
        first = fix
        add(fix)
    }

    mutating func add(_ fix: AcceptedFix) {
        let error = max(1, fix.position.error.value)
        let share = 1 / (error * error)
        let offset = first.coordinate.offset(to: fix.coordinate)
        weight += share
        east += share * offset.east.value
        north += share * offset.north.value
        squares += share * (offset.east.value * offset.east.value + offset.north.value * offset.north.value)
    }

    /// The root mean square of the distances from the mean.
    private var spread: Metres {
        let (x, y) = (east / weight, north / weight)
        let metres = max(0, squares / weight - x * x - y * y).squareRoot()
        // Records contain this value, and centimetres are precise enough for them.
        return Metres((metres * 100).rounded() / 100)
    }

    var coordinate: Coordinate {
        first.coordinate.moved(east: Metres(east / weight), north: Metres(north / weight))
    }

    /// The mean, with speed zero and without a course; the other fields are those of the first fix. A stated error rises
    /// to the spread, but never shrinks with more fixes, because reflected signals displace fixes for minutes.
    var position: Position {
        var position = first.position
        position.coordinate = coordinate
        position.accuracy = position.accuracy.map { max($0, spread) }
        position.speed = .zero
        position.course = nil
        return position
    }
}

/// Without an accelerometer, a long time without a fix is a stop, because the vehicle stands where no sky is in view. A
/// shorter time is a stop if the ignition is off, or if the next fix is near the last.
struct SilenceRule: Sendable, Hashable {
    /// A drive through the longest road tunnels in a queue can take half an hour.
    static let timeout = Duration.seconds(1800)
    /// The farthest that the exit of a garage may be from its entrance.
    private static let nearby = Metres(250)
    /// A higher average speed during the silence means a drive through a tunnel.
    private static let walkingPace = MetresPerSecond(1)

    /// The receiver may have paused its search for this long while the vehicle drove out.
    private static let longestPause = Duration.seconds(60)
    /// Between the rest and the exit, the vehicle drives at half of its speed at the exit on average.
    private static let exitSpeedRatio = 0.5

    /// The time of the last fix.
    private var last: Instant
    /// Since when the receiver has been on.
    private var listening: Instant
    /// The time without motion that confirms a stop.
    private let patience: Duration

    init(_ options: TrackingOptions, from now: Instant) {
        (last, listening) = (now, now)
        patience = options.stopDetectionDelay + options.stopTimeout
    }

    mutating func fix(at now: Instant) { (last, listening) = (now, now) }

    mutating func receiverRested(at now: Instant) { listening = now }

    func span(at now: Instant) -> Duration { now - last }

    /// When the silence alone confirms a stop.
    func end(ignition: Bool?) -> Instant { last + (ignition == false ? min(patience, Self.timeout) : Self.timeout) }

    /// Whether the vehicle stood during the silence between the two fixes, of which the second comes now.
    func isStop(from before: AcceptedFix, to fix: AcceptedFix, ignition: Bool?, at now: Instant) -> Bool {
        guard now - listening >= patience, ignition != true else { return false }
        let walked = min(Self.nearby, Metres(Self.walkingPace.value * (now - listening).inSeconds))
        let drivenOut = (fix.position.speed ?? .zero) * Self.exitSpeedRatio * Self.longestPause.inSeconds
        let reach = walked + Metres(drivenOut.value)
        return ignition == false || !fix.position.isProvablyAway(from: before.position, by: reach)
    }
}
