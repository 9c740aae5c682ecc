import Quantities

/// Limits the distance of skipped fixes from the straight line between two records. Each skipped fix allows a range of
/// directions; only the limits of the range that all allow are stored, so the cost does not depend on the length of the
/// line. This is Imai and Iri's wedge, also known as the opening window with a bounded sector.
struct ChordRule: Sendable, Hashable {
    /// The bound in metres: 10 m from the road, less 2 m for the errors at the line's ends.
    static let bound = 8.0

    private var chord = Chord(bound: Self.bound)
    private(set) var previous: AcceptedFix?

    mutating func restart() { self = ChordRule() }

    /// Returns the previous fix, which must become a record, if no valid line leads to the new one.
    mutating func add(_ fix: AcceptedFix, after last: TrackPoint) -> AcceptedFix? {
        guard chord.reach(from: last.coordinate, to: fix.coordinate) else { return previous }
        previous = fix
        return nil
    }
}

/// A straight line from one place, and the directions in which it passes all added places within a bound.
struct Chord: Sendable, Hashable, Codable {
    private struct Vector: Sendable, Hashable, Codable {
        var east: Double
        var north: Double

        var length: Double { (east * east + north * north).squareRoot() }
        /// Positive if `other` is to the left.
        func cross(_ other: Vector) -> Double { east * other.north - north * other.east }
    }

    private struct Wedge: Sendable, Hashable, Codable {
        var left: Vector
        var right: Vector

        func contains(_ direction: Vector) -> Bool { right.cross(direction) >= 0 && left.cross(direction) <= 0 }
    }

    /// In metres.
    private let bound: Double
    private var wedge: Wedge?
    private var farthest = 0.0

    init(bound: Double) { self.bound = bound }

    /// False, and without effect, if no valid line leads there.
    mutating func reach(from start: Coordinate, to place: Coordinate) -> Bool {
        let offset = start.offset(to: place)
        let vector = Vector(east: offset.east.value, north: offset.north.value)
        let distance = vector.length
        // A line that turns back on itself is invalid, because the track would lose the part beyond the turn.
        guard distance > farthest - bound, wedge?.contains(vector) ?? true else { return false }
        farthest = max(farthest, distance)
        narrow(by: vector, at: distance)
        return true
    }

    private mutating func narrow(by vector: Vector, at distance: Double) {
        guard distance > bound else { return }
        let sine = bound / distance
        let cosine = (1 - sine * sine).squareRoot()
        let left = Vector(
            east: vector.east * cosine - vector.north * sine, north: vector.east * sine + vector.north * cosine)
        let right = Vector(
            east: vector.east * cosine + vector.north * sine, north: vector.north * cosine - vector.east * sine)
        let former = wedge ?? Wedge(left: left, right: right)
        wedge = Wedge(
            left: former.left.cross(left) < 0 ? left : former.left,
            right: former.right.cross(right) > 0 ? right : former.right)
    }
}
