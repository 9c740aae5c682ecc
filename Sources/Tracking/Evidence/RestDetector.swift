import Quantities

/// Finds by fixes where and when the vehicle comes to rest, and when it moves on. A rest, such as at a red light, is
/// not a stop yet, but a stop that is confirmed later gets its position and time.
struct RestDetector: Sendable, Hashable {
    private static let slow = MetresPerSecond(0.8)
    /// Two faster fixes in a row, away from the place of rest, end the rest.
    private static let fast = MetresPerSecond(1.5)
    /// The least distance (or the fix's error, if larger). Speed alone is not enough: a drifting receiver reports one too.
    private static let away = Metres(10)
    /// If a fix is farther away than this, and than three times its error, the rest ends at any speed.
    private static let leeway = Metres(20)
    /// A missing speed is computed from a fix of at least this age.
    private static let baseline = Duration.seconds(5)

    /// The least time between points; more points add no value for a server.
    private static let pointInterval = Duration.seconds(20)

    private let maximumPoints: Int
    /// The cluster is boxed, because each fix asks whether there is one.
    private var cluster: Boxed<FixMean>?
    private(set) var points: [AcceptedFix] = []
    private var fastCount = 0
    private var earlier: [AcceptedFix] = []

    var isAtRest: Bool { cluster != nil }

    /// The weighted mean of the fixes since the vehicle came to rest; nil while it moves.
    var position: Position? { cluster?.value.position }

    var since: Timestamp? { cluster?.value.first.time }

    init(maximumPoints: Int = 0) { self.maximumPoints = maximumPoints }

    mutating func add(_ fix: AcceptedFix) {
        let speed = fix.position.speed ?? speedFromPlaces(at: fix)
        guard let distance = cluster?.value.coordinate.distance(to: fix.coordinate) else {
            guard let speed, speed < Self.slow else { return }
            cluster = Boxed(FixMean(fix))
            points = maximumPoints > 0 ? [fix] : []
            return
        }
        fastCount = (speed ?? .zero) > Self.fast ? fastCount + 1 : 0
        let error = fix.position.accuracy ?? .zero
        let hasLeft = fastCount >= 2 && distance > max(Self.away, error)
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

/// The mean of fixes, weighted by their errors.
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

    /// The mean, at speed zero, with the first fix's other fields. If that fix states an error, the error of the mean
    /// is at least the spread: reflected signals displace fixes for minutes, so the mean is no better than one of them.
    var position: Position {
        var position = first.position
        position.coordinate = coordinate
        position.accuracy = position.accuracy.map { max($0, spread) }
        position.speed = .zero
        position.course = nil
        return position
    }
}

/// Without an accelerometer, half an hour without a fix is a stop: the vehicle stands at a place without a sky view.
struct SilenceRule: Sendable, Hashable {
    /// A drive through the longest road tunnels in a queue can take half an hour.
    static let timeout = Duration.seconds(1800)

    private var last: Instant

    init(from now: Instant) { last = now }

    mutating func fix(at now: Instant) { last = now }

    /// Whether the silence confirms a stop, and when to check again if it does not.
    func timer(at now: Instant) -> (confirmsStop: Bool, again: Instant) {
        (now - last >= Self.timeout, last + Self.timeout)
    }
}
