import Quantities

/// Bounds how far the skipped fixes stray from the straight line between two records.
///
/// Seen from the last record, each skipped fix allows the directions whose line passes it within the bound; a line that is
/// allowed by all is a good one. Only two directions need be kept, the narrowest on either side, so that a fix costs the
/// same however long the line is (Imai and Iri's wedge; also known as the opening window with a bounded sector).
struct ChordRule: Sendable, Hashable {
    /// The largest distance from the line; the track may stray by 10 m, and the ends of the line take the rest.
    static let bound = 8.0

    private struct Vector: Sendable, Hashable {
        var east: Double
        var north: Double

        var length: Double { (east * east + north * north).squareRoot() }
        /// Positive when `other` lies to the left.
        func cross(_ other: Vector) -> Double { east * other.north - north * other.east }
    }

    private struct Wedge: Sendable, Hashable {
        var left: Vector
        var right: Vector

        func contains(_ direction: Vector) -> Bool { right.cross(direction) >= 0 && left.cross(direction) <= 0 }
    }

    private var wedge: Wedge?
    private var reach = 0.0
    /// The last fix that was skipped.
    private(set) var previous: AcceptedFix?

    /// Begins a new line at the record that has just been made.
    mutating func restart() { self = ChordRule() }

    /// Takes a fix in; returns the fix before it when that one must become a record, since no line to this one is good.
    mutating func add(_ fix: AcceptedFix, after last: TrackPoint) -> AcceptedFix? {
        let offset = last.coordinate.offset(to: fix.coordinate)
        let vector = Vector(east: offset.east.value, north: offset.north.value)
        let distance = vector.length
        // A line back over itself is no line: what it went beyond would be lost.
        let isGood = distance > reach - Self.bound && (wedge?.contains(vector) ?? true)
        guard isGood else { return previous }
        previous = fix
        reach = max(reach, distance)
        narrow(by: vector, at: distance)
        return nil
    }

    private mutating func narrow(by vector: Vector, at distance: Double) {
        guard distance > Self.bound else { return }
        let sine = Self.bound / distance
        let cosine = (1 - sine * sine).squareRoot()
        let left = Vector(
            east: vector.east * cosine - vector.north * sine, north: vector.east * sine + vector.north * cosine)
        let right = Vector(
            east: vector.east * cosine + vector.north * sine, north: vector.north * cosine - vector.east * sine)
        guard let wedge else {
            self.wedge = Wedge(left: left, right: right)
            return
        }
        self.wedge = Wedge(
            left: wedge.left.cross(left) < 0 ? left : wedge.left,
            right: wedge.right.cross(right) > 0 ? right : wedge.right)
    }
}
