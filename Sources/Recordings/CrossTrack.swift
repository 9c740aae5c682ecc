package import Quantities
package import Tracking

/// Measures the largest distance of the vehicle from the lines through the recorded points of its trips.
package struct CrossTrack: Sendable {
    private struct Point: Sendable {
        let time: Timestamp
        let coordinate: Coordinate
    }

    private var fixes: [Point] = []
    private var recorded: [Point] = []
    private var worstSoFar = Metres.zero

    /// Makes a measurement without any points.
    package init() {}

    /// Adds a fix that the engine has accepted while the vehicle moves.
    package mutating func add(fix: AcceptedFix) { fixes.append(Point(time: fix.time, coordinate: fix.coordinate)) }

    package mutating func add(record: Record) {
        guard let place = record.position?.coordinate else { return }
        recorded.append(Point(time: record.time, coordinate: place))
    }

    /// Ends a trip after its last record: stores the largest distance so far, and drops all points except the last record.
    package mutating func endTrip() {
        worstSoFar = worst
        fixes = []
        recorded = recorded.suffix(1)
    }

    /// The largest distance of a fix from the line between the records before and after the fix; zero if there is no such line.
    ///
    /// The measurement ignores fixes before the first record and fixes after the last record.
    package var worst: Metres {
        let line = recorded.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        var index = 0
        var worst = worstSoFar
        for fix in fixes {
            while index + 1 < line.count, line[index + 1].time < fix.time { index += 1 }
            guard index + 1 < line.count, line[index].time <= fix.time else { continue }
            worst = max(
                worst, Self.distance(of: fix.coordinate, from: line[index].coordinate, line[index + 1].coordinate))
        }
        return worst
    }

    /// Returns the distance of a point from the segment between two other points, on a plane.
    private static func distance(of place: Coordinate, from start: Coordinate, _ end: Coordinate) -> Metres {
        let (line, offset) = (start.offset(to: end), start.offset(to: place))
        let squared = line.east.value * line.east.value + line.north.value * line.north.value
        let along = line.east.value * offset.east.value + line.north.value * offset.north.value
        let share = squared > 0 ? min(1, max(0, along / squared)) : 0
        let (east, north) = (offset.east.value - share * line.east.value, offset.north.value - share * line.north.value)
        return Metres((east * east + north * north).squareRoot())
    }
}
