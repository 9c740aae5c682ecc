import RealModule

/// A box in latitude and longitude; it may cross the antimeridian or contain a pole.
public struct BoundingBox: Sendable, Hashable {
    public private(set) var south: Double
    public private(set) var north: Double
    /// The left edge; it may be below −180 if the box crosses the antimeridian.
    private var west: Double
    /// The right edge, never less than `west`; it may be above 180 if the box crosses the antimeridian.
    private var east: Double

    /// Returns whether the place is inside or on the edge.
    public func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= south, place.latitude <= north else { return false }
        let eastward = place.longitude - west
        let turn: Double = eastward < 0 ? 360 : eastward >= 360 ? -360 : 0
        return eastward + turn <= east - west
    }

    /// Contains every position within `radius` of the centre, with a small margin.
    public init(around centre: Coordinate, radius: Metres) {
        let angle = radius.value * Self.leeway / Self.smallestRadius
        let degrees = angle / Coordinate.radians + Self.margin
        (south, north) = (max(-90, centre.latitude - degrees), min(90, centre.latitude + degrees))
        let sine = Double.sin(min(angle, .pi / 2)) / .cos(centre.latitude * Coordinate.radians)
        if south > -90, north < 90, sine < 1 {
            let half = Double.asin(sine) / Coordinate.radians + Self.margin
            west = Coordinate.shorterWayRound(centre.longitude - half)
            east = west + min(360, 2 * half)
        } else {
            (west, east) = (-180, 180)
        }
    }

    /// Reaches from `longitude` by `westward` degrees to the west and `eastward` to the east, with a small margin.
    init(south: Double, north: Double, from longitude: Double, westward: Double, eastward: Double) {
        self.south = south - Self.margin
        self.north = north + Self.margin
        west = Coordinate.shorterWayRound(longitude - westward - Self.margin)
        east = west + min(360, westward + eastward + 2 * Self.margin)
    }

    package init(_ place: Coordinate) {
        (south, north) = (place.latitude, place.latitude)
        (west, east) = (place.longitude, place.longitude)
    }

    /// The ranges are in degrees; that of longitude goes beyond −180 or 180 if the box crosses the antimeridian.
    package init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
        (south, north) = (latitudes.lowerBound, latitudes.upperBound)
        (west, east) = (longitudes.lowerBound, longitudes.upperBound)
    }

    /// Extends the box to a place, by the shorter way round the earth.
    package mutating func extend(to place: Coordinate) {
        let longitude = place.longitude(near: (west + east) / 2)
        (south, north) = (min(south, place.latitude), max(north, place.latitude))
        (west, east) = (min(west, longitude), max(east, longitude))
    }

    package var diagonal: Metres {
        let breadth = min(180, east - west)
        let corners = (Coordinate(latitude: south, longitude: 0), Coordinate(latitude: north, longitude: breadth))
        guard let first = corners.0, let second = corners.1 else { return .zero }
        return first.distance(to: second)
    }

    /// WGS84's smallest radius of curvature, along the meridian at the equator. The ellipsoid is nowhere more curved
    /// than a sphere of this radius, so an angle computed on the sphere is never too small.
    private static let smallestRadius = 6_335_439.0
    /// A factor: 0.1 % more, while the distance formula errs by at most 0.01 %.
    private static let leeway = 1.001
    /// A tenth of a millimetre in degrees, more than the largest error of the arithmetic.
    private static let margin = 1e-9
}

extension Coordinate {
    /// The equivalent number of degrees nearest to `other`: near 180, −179 becomes 181.
    package func longitude(near other: Double) -> Double {
        longitude + ((other - longitude) / 360).rounded() * 360
    }
}
