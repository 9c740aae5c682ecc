package import Quantities
package import Tracking

/// Measures the largest distance of the vehicle from the lines through the recorded points of its trips.
package struct CrossTrack: Sendable {
    private typealias Point = (time: Timestamp, coordinate: Coordinate)

    private var fixes: [Point] = []
    private var recorded: [Point] = []
    private var worstSoFar = Metres.zero

    package init() {}

    /// The engine must have accepted the fix while the vehicle was moving.
    package mutating func add(fix: AcceptedFix) { fixes.append((fix.time, fix.coordinate)) }

    package mutating func add(record: Record) {
        guard let place = record.position?.coordinate else { return }
        recorded.append((record.time, place))
    }

    /// Call it after the trip's last record, which is the only point that stays.
    package mutating func endTrip() {
        worstSoFar = worst
        fixes = []
        recorded = recorded.suffix(1)
    }

    /// Zero if no fix lies between two records.
    package var worst: Metres {
        let line = recorded.sorted { $0.time < $1.time }
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

    /// The distance from the segment, on a plane.
    private static func distance(of place: Coordinate, from start: Coordinate, _ end: Coordinate) -> Metres {
        let (line, offset) = (start.offset(to: end), start.offset(to: place))
        let squared = line.east.value * line.east.value + line.north.value * line.north.value
        let along = line.east.value * offset.east.value + line.north.value * offset.north.value
        let share = squared > 0 ? min(1, max(0, along / squared)) : 0
        let (east, north) = (offset.east.value - share * line.east.value, offset.north.value - share * line.north.value)
        return Metres((east * east + north * north).squareRoot())
    }
}
