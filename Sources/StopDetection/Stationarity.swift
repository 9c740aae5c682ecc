// StopDetection: decides from a list of locations whether an object is stationary. The target is a separate library
// product, which other packages can use. It imports only Quantities. Start reading at `stationary`.

public import Quantities

/// The judgement on a list of locations: stationary, moving, or too short to decide.
public enum Stationarity: Sendable, Hashable {
    /// The object is stationary; the location contains the position and the time of the object's arrival.
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

/// Returns the location of arrival if the object is stationary in the latest locations that cover `interval`.
///
/// Returns nil if the locations show movement, and also if the locations do not cover the interval; `stationarity` distinguishes
/// the two cases.
public func stationary(
    locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Location? {
    let answer = stationarity(of: locations, interval: interval, after: after, distance: distance, speed: speed)
    guard case .stationary(let location) = answer else { return nil }
    return location
}

/// Decides from the latest locations that cover `interval` (at least two locations) whether an object is stationary.
///
/// Returns `moving` if the diagonal of the locations' bounding box exceeds `distance`, even if the locations do not cover the
/// interval yet. Also returns `moving` if the average speed is not below `speed`. The function ignores locations at or before
/// `after`. The list may be in any order.
///
/// The average speed is the mean of the speeds that the locations report. If no location reports a speed, the average speed is
/// the length of the path divided by the time. The length excludes steps of up to 5 m, because a position wanders. The average
/// speed is never less than the diagonal divided by the time.
///
/// A marker determines the location of arrival. The marker is the latest location with an error of at most 10 m. If there is
/// none, it is the latest location with an error of at most 65 m, or else the latest of all. The location of arrival is the
/// last location before the marker that is more than 5 m away from the marker. If there is no such location, it is the marker
/// itself.
public func stationarity(
    of locations: [Location], interval: Duration = Stationarity.usualInterval, after: Timestamp? = nil,
    distance: Metres = Stationarity.usualDistance, speed: MetresPerSecond = Stationarity.usualSpeed
) -> Stationarity {
    // The function first reverses the list. A list in order of time is then already sorted. If two locations have the same
    // time, the function treats the later one in the list as newer.
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

/// The limits for a marker in the program Trckr: the error of a receiver in the open, and the error of a network
/// location.
private let goodError = Metres(10)
private let fairError = Metres(65)
/// The distance above which the program Trckr treats two positions as different.
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
