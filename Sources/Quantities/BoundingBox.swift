import RealModule

/// A piece of the earth between two circles of latitude and two meridians; may lie across the date line or a pole.
public struct BoundingBox: Sendable, Hashable {
    /// Latitude of the lower edge.
    public let south: Double
    /// Latitude of the upper edge.
    public let north: Double
    /// Longitude of the left edge.
    private let west: Double
    /// Degrees from the left edge eastward to the right one, from 0 to 360.
    private let width: Double

    /// Whether a place lies in it or on its edge.
    public func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= south, place.latitude <= north else { return false }
        let eastward = place.longitude - west
        let turn: Double = eastward < 0 ? 360 : eastward >= 360 ? -360 : 0
        return eastward + turn <= width
    }

    /// Makes a box that holds every place within `radius` of the centre, with a little to spare.
    public init(around centre: Coordinate, radius: Metres) {
        let angle = radius.value * Self.leeway / Self.smallestRadius
        let degrees = angle / Coordinate.radians + Self.margin
        (south, north) = (max(-90, centre.latitude - degrees), min(90, centre.latitude + degrees))
        let sine = Double.sin(min(angle, .pi / 2)) / .cos(centre.latitude * Coordinate.radians)
        if south > -90, north < 90, sine < 1 {
            let half = Double.asin(sine) / Coordinate.radians + Self.margin
            west = Coordinate.shorterWayRound(centre.longitude - half)
            width = min(360, 2 * half)
        } else {
            (west, width) = (-180, 360)
        }
    }

    /// Makes a box that reaches from the first place by these ways east and west, in degrees, with a little to spare.
    init(south: Double, north: Double, from longitude: Double, westward: Double, eastward: Double) {
        self.south = south - Self.margin
        self.north = north + Self.margin
        west = Coordinate.shorterWayRound(longitude - westward - Self.margin)
        width = min(360, westward + eastward + 2 * Self.margin)
    }

    /// WGS84's smallest radius of curvature, along the meridian at the equator: the ellipsoid is nowhere smaller than
    /// a sphere of this size, so that an angle on the sphere is never too small.
    private static let smallestRadius = 6_335_439.0
    /// More than the distance formula is ever wrong.
    private static let leeway = 1.001
    /// A tenth of a millimetre, in degrees: more than the arithmetic is ever wrong.
    private static let margin = 1e-9
}
