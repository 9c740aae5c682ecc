public struct Coordinate: Sendable, Hashable, Codable {
    /// Degrees of WGS84 from −90 to 90, north positive.
    public let latitude: Double
    /// Degrees of WGS84 from −180 to 180, east positive.
    public let longitude: Double

    /// Nil if a number is not finite, or out of its range.
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
    /// Returns the place at this share of the way to `other`, which is straight on a map, also across the date line.
    package func between(_ other: Coordinate, share: Double) -> Coordinate {
        shifted(
            eastward: Self.shorterWayRound(other.longitude - longitude) * share,
            northward: (other.latitude - latitude) * share)
    }

    /// Both distances are in degrees.
    func shifted(eastward: Double, northward: Double) -> Coordinate {
        Coordinate(
            latitude: min(90, max(-90, latitude + northward)),
            longitude: Self.shorterWayRound(Self.shorterWayRound(longitude + eastward))) ?? self
    }
}
