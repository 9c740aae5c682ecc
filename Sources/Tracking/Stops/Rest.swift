import Quantities

/// Notices from the fixes when the vehicle comes to rest and when it goes on, and works out where it rests.
///
/// A rest is not yet a stop: it may be a red light. But when a stop is confirmed later, this is its place and its time.
struct Rest: Sendable, Hashable {
    /// Slower than this is at rest.
    private static let slow = MetresPerSecond(0.8)
    /// Faster than this, twice in a row and away from the place of rest, is moving again.
    private static let fast = MetresPerSecond(1.5)
    /// A receiver that wanders shows speed too: the place must agree, by this or by the error of the fix.
    private static let away = Metres(10)
    /// A fix this far from the place of rest ends it, or three times the error of that fix if that is more.
    private static let leeway = Metres(20)
    /// Without a speed from the receiver, the way since a fix at least this old tells it.
    private static let baseline = Duration.seconds(5)

    /// Points closer in time than this tell a server no more than one.
    private static let pointInterval = Duration.seconds(20)

    private let mostPoints: Int
    private var cluster: FixMean?
    /// Fixes of the rest, apart in time.
    private(set) var points: [AcceptedFix] = []
    private var fastCount = 0
    private var earlier: [AcceptedFix] = []

    /// Whether the vehicle is at rest.
    var isAtRest: Bool { cluster != nil }

    /// The weighted mean of the fixes since the vehicle came to rest, and when that was; nothing while it moves.
    var place: (position: Position, since: Timestamp)? {
        cluster.map { ($0.position, $0.first.time) }
    }

    /// Keeps up to so many fixes of the rest.
    init(points: Int = 0) { mostPoints = points }

    /// Takes a fix in.
    mutating func add(_ fix: AcceptedFix) {
        let speed = fix.position.speed ?? speedFromPlaces(at: fix)
        guard var cluster else {
            guard let speed, speed < Self.slow else { return }
            self.cluster = FixMean(fix)
            points = mostPoints > 0 ? [fix] : []
            return
        }
        fastCount = (speed ?? .zero) > Self.fast ? fastCount + 1 : 0
        let error = fix.position.accuracy ?? .zero
        let distance = cluster.coordinate.distance(to: fix.coordinate)
        let hasLeft = fastCount >= 2 && distance > max(Self.away, error)
        guard !hasLeft, distance <= max(Self.leeway, error * 3) else {
            self.cluster = nil
            points = []
            fastCount = 0
            return
        }
        guard fastCount == 0 else { return }
        cluster.add(fix)
        self.cluster = cluster
        guard points.count < mostPoints, let last = points.last, fix.time - last.time >= Self.pointInterval else {
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
