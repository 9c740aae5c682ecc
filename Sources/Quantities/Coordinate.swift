/// A place on the earth, in degrees of WGS84.
public struct Coordinate: Sendable, Hashable, Codable {
    /// Degrees north of the equator, from −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from −180 to 180.
    public let longitude: Double

    /// Makes a place; nothing when a number is not finite or out of its range.
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
