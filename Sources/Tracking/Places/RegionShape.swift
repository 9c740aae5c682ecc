package import Quantities

/// What tells that the vehicle is in a region.
package enum RegionShape: Sendable, Hashable, Codable {
    /// The border of an area.
    case area(RegionArea)
    /// The signal of a beacon.
    case beacon(BeaconIdentity)
    /// The border of an area; the beacon is known, but only the border is watched, as OwnTracks has it.
    case areaWithBeacon(RegionArea, BeaconIdentity)

    /// The area whose border is watched; nothing when a beacon tells.
    package var area: RegionArea? {
        switch self {
        case .area(let area), .areaWithBeacon(let area, _): area
        case .beacon: nil
        }
    }

    /// The beacon that belongs to it.
    package var beacon: BeaconIdentity? {
        switch self {
        case .beacon(let beacon), .areaWithBeacon(_, let beacon): beacon
        case .area: nil
        }
    }

    /// What its transitions are told by.
    package var trigger: Transition.Trigger { area == nil ? .beacon : .area }
}

/// A piece of the earth with a border.
package enum RegionArea: Sendable, Hashable, Codable {
    /// All places within a distance.
    case circle(centre: Coordinate, radius: Metres)
    /// All places between straight borders.
    case polygon(Polygon)

    /// How far a place lies outside the border; zero on it and negative inside.
    package func clearance(from place: Coordinate) -> Metres {
        switch self {
        case .circle(let centre, let radius): centre.distance(to: place) - radius
        case .polygon(let polygon): polygon.clearance(from: place)
        }
    }

    /// A box that it fits into.
    var box: BoundingBox {
        switch self {
        case .circle(let centre, let radius): BoundingBox(around: centre, radius: radius)
        case .polygon(let polygon): polygon.outer.box
        }
    }
}
