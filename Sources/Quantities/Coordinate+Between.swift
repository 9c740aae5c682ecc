extension Coordinate {
    /// The place at this share of the way to another, straight on a map of latitude and longitude; crosses the date line.
    public func between(_ other: Coordinate, share: Double) -> Coordinate {
        shifted(
            eastward: Self.shorterWayRound(other.longitude - longitude) * share,
            northward: (other.latitude - latitude) * share)
    }

    /// The place that lies this many degrees to the east and to the north.
    func shifted(eastward: Double, northward: Double) -> Coordinate {
        Coordinate(
            latitude: min(90, max(-90, latitude + northward)),
            longitude: Self.shorterWayRound(Self.shorterWayRound(longitude + eastward))) ?? self
    }
}
