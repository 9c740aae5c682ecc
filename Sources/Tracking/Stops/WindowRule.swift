import Quantities
import StopDetection

/// Confirms a stop when the fixes of the last interval show neither way nor speed, as `stationary` does.
///
/// Holds only the fixes that fill the interval. Their bounding box is kept up to date, so that the fixes themselves
/// are looked at again only when it is small enough.
struct WindowRule: Sendable {
    private let interval: Duration
    private let distance: Metres
    private let speed: MetresPerSecond
    private var fixes = Queue<Location>()
    private var latitudes = SlidingBounds()
    private var longitudes = SlidingBounds()
    private var lastLongitude: Double?

    /// Confirms when the fixes of `interval` lie in a box with a diagonal of at most `distance`, and that divided by
    /// the time is below `speed`; never when `interval` is zero.
    init(interval: Duration, distance: Metres, speed: MetresPerSecond) {
        self.interval = interval
        self.distance = distance
        self.speed = speed
    }

    /// Takes a fix in; when the vehicle has stopped, tells where and when it arrived.
    mutating func confirmsStop(_ fix: AcceptedFix) -> Location? {
        guard interval > .zero else { return nil }
        // The date was mended: what was held belongs to another time.
        if let last = fixes.last, fix.time <= last.time {
            self = WindowRule(interval: interval, distance: distance, speed: speed)
        }
        append(Location(fix))
        while let second = fixes.second, fix.time - second.time >= interval { removeFirst() }
        guard let first = fixes.first, fix.time - first.time >= interval, isSmall else { return nil }
        return stationary(locations: fixes.elements, interval: interval, distance: distance, speed: speed)
    }

    private var isSmall: Bool {
        guard let latitudes = latitudes.range, let longitudes = longitudes.range else { return false }
        return Extent(latitudes: latitudes, longitudes: longitudes).diagonal <= distance
    }

    private mutating func append(_ location: Location) {
        let longitude = location.coordinate.longitude(near: lastLongitude ?? location.coordinate.longitude)
        lastLongitude = longitude
        fixes.append(location)
        latitudes.append(location.coordinate.latitude)
        longitudes.append(longitude)
    }

    private mutating func removeFirst() {
        fixes.removeFirst()
        latitudes.removeFirst()
        longitudes.removeFirst()
    }
}
