/// A closed line over the earth, straight from point to point on a map of latitude and longitude (RFC 7946). Each edge
/// takes the shorter way round the earth, so a ring may cross the date line, but it cannot enclose a pole.
public struct Ring: Sendable, Hashable {
    public enum Problem: Error, Sendable, Hashable {
        /// Fewer than three points differ.
        case tooFewPoints(Int)
        case aroundPole
    }

    /// The points in the given order, each once.
    public let points: [Coordinate]

    /// The last point may repeat the first.
    public init(_ points: [Coordinate]) throws(Problem) {
        let isClosed = points.count > 1 && points.first == points.last
        self.points = isClosed ? Array(points.dropLast()) : points
        let different = Set(self.points).count
        guard different >= 3 else { throw .tooFewPoints(different) }
        let turn = Self.steps(self.points).reduce(0, +)
        guard turn.magnitude < 180 else { throw .aroundPole }
    }

    /// The bounding box, with a small margin.
    public var box: BoundingBox {
        var (way, westmost, eastmost) = (0.0, 0.0, 0.0)
        var (south, north) = (90.0, -90.0)
        for (point, step) in zip(points, Self.steps(points)) {
            south = min(south, point.latitude)
            north = max(north, point.latitude)
            way += step
            westmost = min(westmost, way)
            eastmost = max(eastmost, way)
        }
        return BoundingBox(
            south: south, north: north, from: points[0].longitude, westward: -westmost, eastward: eastmost)
    }

    /// Whether the meridian from the position to the North Pole crosses the line an odd number of times.
    public func isAround(_ place: Coordinate) -> Bool {
        var isInside = false
        forEachEdge(seenFrom: place) { start, end in
            guard (start.east > 0) != (end.east > 0) else { return }
            let north = start.north - start.east / (end.east - start.east) * (end.north - start.north)
            if north > 0 { isInside.toggle() }
        }
        return isInside
    }

    /// Returns the nearest point on a flat map with the right scale at the position. It is exact for a near point, and
    /// approximate at hundreds of kilometres or within a few kilometres of a pole.
    public func nearestPoint(to place: Coordinate) -> Coordinate {
        let radii = Coordinate.curvature(atLatitude: place.latitude)
        let ratio = radii.aroundAxis / radii.alongMeridian
        var nearest = (squared: Double.infinity, east: 0.0, north: 0.0)
        forEachEdge(seenFrom: place) { start, end in
            let along = (east: (end.east - start.east) * ratio, north: end.north - start.north)
            let length = along.east * along.east + along.north * along.north
            let back = start.east * ratio * along.east + start.north * along.north
            let share = length > 0 ? min(1, max(0, -back / length)) : 0
            let east = start.east + share * (end.east - start.east)
            let north = start.north + share * along.north
            let squared = east * ratio * east * ratio + north * north
            if squared < nearest.squared { nearest = (squared, east, north) }
        }
        return place.shifted(eastward: nearest.east, northward: nearest.north)
    }

    private typealias Corner = (east: Double, north: Double)

    /// Visits each edge; its corners are in degrees from the position.
    private func forEachEdge(seenFrom place: Coordinate, _ visit: (Corner, Corner) -> Void) {
        func corner(_ point: Coordinate) -> Corner {
            (Coordinate.shorterWayRound(point.longitude - place.longitude), point.latitude - place.latitude)
        }
        var start = corner(points[points.count - 1])
        for point in points {
            let end = corner(point)
            // The edge takes the shorter way, which may cross the meridian opposite the position.
            let way = end.east - start.east
            let turn: Double = way > 180 ? -360 : way < -180 ? 360 : 0
            visit(start, (end.east + turn, end.north))
            start = end
        }
    }

    /// The degrees of longitude from each point to the next, and from the last to the first.
    private static func steps(_ points: [Coordinate]) -> [Double] {
        zip(points, points.dropFirst() + points.prefix(1)).map { from, to in
            Coordinate.shorterWayRound(to.longitude - from.longitude)
        }
    }
}

extension Ring: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode([Coordinate].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(points)
    }
}
