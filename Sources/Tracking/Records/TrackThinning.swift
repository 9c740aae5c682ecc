package import Quantities

/// Thins a track, but preserves where the vehicle was at each time.
///
/// Straight lines at constant speed connect the points that remain. A point may be removed if the position on the lines
/// at the time of the point is within a bound of the point. The bound therefore applies to the shape of the track and
/// to its times. The algorithm compares each point only with lines between measured points, so errors do not add up.
/// This algorithm is an opening window with the synchronised Euclidean distance (Meratnia and de By, 2004).
package struct TrackThinning: Sendable {
    package struct Point: Sendable, Hashable {
        /// The number of its record.
        package let sequence: Int64
        /// Where the vehicle was.
        package let coordinate: Coordinate
        /// When the vehicle was there.
        package let time: Timestamp

        package init(sequence: Int64, coordinate: Coordinate, time: Timestamp) {
            self.sequence = sequence
            self.coordinate = coordinate
            self.time = time
        }
    }

    /// The default limit for the distance between a removed point and the remaining track.
    package static let bound = Metres(10)
    /// A line has at most this number of points, because the cost of a new point grows with the number of points.
    private static let longestLine = 64
    /// After a longer pause the vehicle may have been anywhere, so no line connects the points.
    private static let longestPause = Duration.seconds(600)

    /// The largest distance between a removed point and the remaining track.
    private let bound: Metres
    /// The last point that remains.
    private var anchor: Point?
    /// The points after the anchor; the last one ends the line.
    private var line: [Point] = []

    /// Makes an empty track; thinning moves the track by at most `bound`.
    package init(bound: Metres = Self.bound) { self.bound = bound }

    /// The sequence number of the remaining point at which the present line begins; nil if no line has begun.
    package var lastKept: Int64? { anchor?.sequence }

    /// Adds the next point; returns the records that may be removed.
    package mutating func add(_ point: Point) -> [Int64] {
        guard let anchor, let end = line.last ?? self.anchor, point.time > end.time,
            point.time - end.time <= Self.longestPause
        else {
            let removable = finish()
            self.anchor = point
            return removable
        }
        if line.count < Self.longestLine, line.allSatisfy({ isNear($0, lineFrom: anchor, to: point) }) {
            line.append(point)
            return []
        }
        let removable = finish()
        self.anchor = end
        line = [point]
        return removable
    }

    /// Ends the track, for example at an event; returns the records that may be removed.
    package mutating func finish() -> [Int64] {
        defer { (anchor, line) = (nil, []) }
        return line.dropLast().map(\.sequence)
    }

    /// Whether a vehicle that drives straight from `start` to `end` at constant speed is near the point at the time of
    /// the point.
    private func isNear(_ point: Point, lineFrom start: Point, to end: Point) -> Bool {
        let share = (point.time - start.time).inSeconds / (end.time - start.time).inSeconds
        let whole = start.coordinate.offset(to: end.coordinate)
        let part = start.coordinate.offset(to: point.coordinate)
        let east = part.east.value - share * whole.east.value
        let north = part.north.value - share * whole.north.value
        return east * east + north * north <= bound.value * bound.value
    }
}
