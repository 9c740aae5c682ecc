/// A position on the earth, in degrees of WGS84.
public struct Coordinate: Sendable, Hashable, Codable {
    /// Degrees north of the equator, from −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from −180 to 180.
    public let longitude: Double

    /// Makes a position; nil if a number is not finite, or if it is out of its range.
    public init?(latitude: Double, longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    private enum CodingKeys: String, CodingKey {
        case latitude = "lat"
        case longitude = "lon"
    }
}

extension Coordinate {
    /// Returns the position at the fraction `share` of the way to `other`, along a straight line on a map; the result is
    /// correct across the date line.
    package func between(_ other: Coordinate, share: Double) -> Coordinate {
        shifted(
            eastward: Self.shorterWayRound(other.longitude - longitude) * share,
            northward: (other.latitude - latitude) * share)
    }

    /// Returns the position this many degrees to the east and to the north.
    func shifted(eastward: Double, northward: Double) -> Coordinate {
        Coordinate(
            latitude: min(90, max(-90, latitude + northward)),
            longitude: Self.shorterWayRound(Self.shorterWayRound(longitude + eastward))) ?? self
    }
}
