// StopDetection: decides from a list of locations whether an object is stationary. Other packages can use this target,
// which imports only Quantities. Start reading at `stationary`.

public import Quantities

/// The judgement on a list of locations: stationary, moving, or too short to decide.
public enum Stationarity: Sendable, Hashable {
    /// The location is the position and the time of the object's arrival.
    case stationary(Location)
    case moving
    /// The locations do not cover the interval.
    case unknown

    /// Trckr's `StationaryInterval`.
    public static let usualInterval = Duration.seconds(120)
    /// Trckr's `StationaryDistance`.
    public static let usualDistance = Metres(150)
    /// Trckr's `StationarySpeed`.
    public static let usualSpeed = MetresPerSecond(0.85)
}

/// The location of arrival if the object is stationary in the latest locations that cover `interval`. Nil if they show
/// movement or do not cover the interval; `stationarity` distinguishes the two.
public func stationary(
    locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Location? {
    let answer = stationarity(of: locations, interval: interval, after: after, distance: distance, speed: speed)
    guard case .stationary(let location) = answer else { return nil }
    return location
}

/// Decides from the latest locations that cover `interval` (at least two, in any order) whether an object is
/// stationary. Locations at or before `after` are ignored.
///
/// An object moves if the diagonal of the locations' bounding box exceeds `distance`, even if they do not cover the
/// interval yet, or if the average speed is not below `speed`. The average is the mean of the reported speeds, or if there
/// are none, the length of the path (without steps of up to 5 m, because a position wanders) divided by the time. In
/// both cases it is at least the diagonal divided by the time.
///
/// The location of arrival is the last one more than 5 m away from a marker and before it, or else the marker itself.
/// The marker is the latest location with an error of at most 10 m, or if there is none, of at most 65 m, or else the
/// latest of all.
public func stationarity(
    of locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Stationarity {
    // The list is reversed first: one in order of time is then already sorted, and of two locations with the same time
    // the later one counts as newer.
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
        let average = averageSpeed(newestFirst[...index], diagonal: box.diagonal, over: covered)
        return average < speed ? .stationary(arrival(newestFirst[...index], latest: newest)) : .moving
    }
    return .unknown
}

/// Trckr's limits for a marker: the error of a receiver in the open, and that of a network location.
private let goodError = Metres(10)
private let fairError = Metres(65)
/// Above this distance, Trckr treats two positions as different.
private let samePlace = Metres(5)

private func averageSpeed(
    _ newestFirst: ArraySlice<Location>, diagonal: Metres, over span: Duration
) -> MetresPerSecond {
    let reported = newestFirst.compactMap { $0.speed?.value }
    let mean = reported.isEmpty ? nil : reported.reduce(0, +) / Double(reported.count)
    guard span > .zero else { return MetresPerSecond(mean ?? 0) }
    let way = mean == nil ? max(pathLength(newestFirst), diagonal) : diagonal
    return MetresPerSecond(max(mean ?? 0, way.value / span.inSeconds))
}

private func pathLength(_ locations: ArraySlice<Location>) -> Metres {
    guard var last = locations.first?.coordinate else { return .zero }
    var length = Metres.zero
    for location in locations {
        let step = last.distance(to: location.coordinate)
        guard step > samePlace else { continue }
        length += step
        last = location.coordinate
    }
    return length
}

private func arrival(_ newestFirst: ArraySlice<Location>, latest: Location) -> Location {
    func newest(within error: Metres) -> Location? {
        newestFirst.first { location in location.accuracy.map { $0 <= error } ?? false }
    }
    let marker = newest(within: goodError) ?? newest(within: fairError) ?? latest
    return newestFirst.first {
        $0.time < marker.time && $0.coordinate.distance(to: marker.coordinate) > samePlace
    } ?? marker
}

/// A position with its time and its accuracy.
public struct Location: Sendable, Hashable, Codable {
    /// In UTC.
    public let time: Timestamp
    public let coordinate: Coordinate
    /// Horizontal, with a confidence of 68 %; nil if unknown.
    public let accuracy: Metres?
    /// As the receiver measured it; nil if unknown.
    public let speed: MetresPerSecond?

    public init(time: Timestamp, coordinate: Coordinate, accuracy: Metres? = nil, speed: MetresPerSecond? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
    }
}
