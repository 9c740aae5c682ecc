package import Quantities

/// An area with straight borders, and holes in it if need be.
package struct Polygon: Sendable, Hashable, Codable {
    /// The border.
    package let outer: Ring
    /// What lies inside the border and does not belong to the area.
    package let holes: [Ring]

    /// Makes an area.
    package init(outer: Ring, holes: [Ring] = []) {
        self.outer = outer
        self.holes = holes
    }

    /// Joins points to an area without holes.
    package init(_ points: [Coordinate]) throws(Ring.Problem) {
        self.init(outer: try Ring(points))
    }

    /// How far a place lies outside the border; negative inside.
    func clearance(from place: Coordinate) -> Metres {
        let rings = [outer] + holes
        let distance = rings.map { $0.nearestPoint(to: place).distance(to: place) }.min() ?? .zero
        let isInside = outer.isAround(place) && !holes.contains { $0.isAround(place) }
        return isInside ? .zero - distance : distance
    }
}
