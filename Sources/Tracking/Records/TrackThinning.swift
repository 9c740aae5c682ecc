package import Quantities

/// Thins a track, but preserves where the vehicle was at each time. Straight lines, driven at constant speed, connect the
/// remaining points. A point may be removed if it is within `bound` of where the line puts the vehicle at that time. Each
/// point is compared only with lines between measured points, so errors do not add up. This is an opening window with
/// the synchronised Euclidean distance (Meratnia and de By, 2004).
package struct TrackThinning: Sendable {
    package struct Point: Sendable, Hashable {
        package let sequence: Int64
        package let coordinate: Coordinate
        package let time: Timestamp

        package init(sequence: Int64, coordinate: Coordinate, time: Timestamp) {
            self.sequence = sequence
            self.coordinate = coordinate
            self.time = time
        }
    }

    package static let bound = Metres(10)
    /// The cost of a new point grows with the number of points in the line.
    private static let longestLine = 64
    /// After a longer pause the vehicle may have been anywhere, so no line connects the points.
    private static let longestPause = Duration.seconds(600)

    private let bound: Metres
    private var anchor: Point?
    /// The points after the anchor; the last one ends the line.
    private var line: [Point] = []

    /// Thinning moves the track by at most `bound`.
    package init(bound: Metres = Self.bound) { self.bound = bound }

    /// The point at which the present line begins; nil if no line has begun.
    package var lastKept: Int64? { anchor?.sequence }

    package mutating func add(_ point: Point) -> [Int64] {
        guard let anchor, let end = line.last ?? self.anchor, point.time > end.time,
            point.time - end.time <= Self.longestPause
        else {
            defer { self.anchor = point }
            return finish()
        }
        if line.count < Self.longestLine, line.allSatisfy({ isNear($0, lineFrom: anchor, to: point) }) {
            line.append(point)
            return []
        }
        defer { (self.anchor, line) = (end, [point]) }
        return finish()
    }

    /// Ends the track if the record has no position.
    package mutating func add(_ stored: StoredRecord) -> [Int64] {
        guard let coordinate = stored.record.position?.coordinate else { return finish() }
        return add(Point(sequence: stored.sequence, coordinate: coordinate, time: stored.record.time))
    }

    /// Ends the track, for example at an event; returns the records that may be removed.
    package mutating func finish() -> [Int64] {
        defer { (anchor, line) = (nil, []) }
        return line.dropLast().map(\.sequence)
    }

    /// Returns whether a vehicle on the line, at constant speed, would be within `bound` of the point at the point's time.
    private func isNear(_ point: Point, lineFrom start: Point, to end: Point) -> Bool {
        let share = (point.time - start.time).inSeconds / (end.time - start.time).inSeconds
        let whole = start.coordinate.offset(to: end.coordinate)
        let part = start.coordinate.offset(to: point.coordinate)
        let east = part.east.value - share * whole.east.value
        let north = part.north.value - share * whole.north.value
        return east * east + north * north <= bound.value * bound.value
    }
}
