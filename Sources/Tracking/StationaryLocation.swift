public import Quantities

/// Whether a number of locations show that something stands still.
public enum Stationarity: Sendable, Hashable {
    /// It stands; the location is that of its arrival.
    case stationary(Location)
    /// It moves.
    case moving
    /// The locations do not reach far enough back to tell.
    case unknown

    /// Trckr's `StationaryInterval`.
    public static let usualInterval = Duration.seconds(120)
    /// Trckr's `StationaryDistance`.
    public static let usualDistance = Metres(150)
    /// Trckr's `StationarySpeed`.
    public static let usualSpeed = MetresPerSecond(0.85)
}

/// The location of arrival when the latest locations that fill `interval` show that something stands still.
///
/// Nothing when they show movement, and also when they do not fill the interval: `stationarity` tells the two apart.
public func stationary(
    locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Location? {
    let answer = stationarity(of: locations, interval: interval, after: after, distance: distance, speed: speed)
    guard case .stationary(let location) = answer else { return nil }
    return location
}

/// Judges by the latest locations that fill `interval`, two at least, whether something stands still.
///
/// It moves when the diagonal of their bounding box is longer than `distance`, however little time they fill, or when
/// the diagonal divided by the time is not below `speed`. Locations that are not later than `after` do not count. The
/// order of the locations does not matter.
///
/// The location of arrival is the last one more than 5 m away from, and before, the marker: which is the latest with an
/// error of at most 10 m, or else the latest with one of at most 65 m, or else the latest. Without such a location it
/// is the marker.
public func stationarity(
    of locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Stationarity {
    // Reversed first: what was in order then is at once, and of two at the same time the later in the list is newer.
    let newestFirst = locations.reversed().sorted { $0.time > $1.time }
    guard let newest = newestFirst.first else { return .unknown }
    var box = BoundingBox(newest.coordinate)
    for (index, location) in newestFirst.enumerated() {
        if let after, location.time <= after { break }
        box.extend(to: location.coordinate)
        guard index > 0 else { continue }
        guard box.diagonal <= distance else { return .moving }
        let covered = newest.time - location.time
        guard covered >= interval else { continue }
        let isSlow = covered > .zero ? box.diagonal.value / covered.inSeconds < speed.value : speed > .zero
        return isSlow ? .stationary(arrival(newestFirst[...index], latest: newest)) : .moving
    }
    return .unknown
}

/// Trckr's limits for a marker: as good as a receiver in the open, or as a network location.
private let goodError = Metres(10)
private let fairError = Metres(65)
/// Trckr's limit for what is a place of its own.
private let samePlace = Metres(5)

private func arrival(_ newestFirst: ArraySlice<Location>, latest: Location) -> Location {
    func newest(within error: Metres) -> Location? {
        newestFirst.first { location in location.accuracy.map { $0 <= error } ?? false }
    }
    let marker = newest(within: goodError) ?? newest(within: fairError) ?? latest
    return newestFirst.first {
        $0.time < marker.time && $0.coordinate.distance(to: marker.coordinate) > samePlace
    } ?? marker
}
