import StopDetection
import DequeModule
import Quantities

/// Confirms a stop when the fixes of the last interval show neither way nor speed, as `stationary` does.
///
/// It keeps only the fixes that fill the interval, and their bounding box, so that the fixes themselves are read again only
/// when the box is small enough.
struct StationaryWindow: Sendable {
    private let interval: Duration
    private let distance: Metres
    private let speed: MetresPerSecond
    private var fixes = Deque<Location>()
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

    /// Takes a fix in; returns where and when the vehicle has arrived, nil if it has not stopped.
    mutating func confirmsStop(_ fix: AcceptedFix) -> Location? {
        guard interval > .zero else { return nil }
        // The date was corrected: what was kept belongs to another time.
        if let last = fixes.last, fix.time <= last.time {
            self = StationaryWindow(interval: interval, distance: distance, speed: speed)
        }
        append(Location(fix))
        while fixes.count > 1, fix.time - fixes[1].time >= interval { removeFirst() }
        guard let first = fixes.first, fix.time - first.time >= interval, isSmall else { return nil }
        return stationary(locations: Array(fixes), interval: interval, distance: distance, speed: speed)
    }

    private var isSmall: Bool {
        guard let latitudes = latitudes.range, let longitudes = longitudes.range else { return false }
        return BoundingBox(latitudes: latitudes, longitudes: longitudes).diagonal <= distance
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

/// The smallest and the largest of the latest numbers of a sequence.
///
/// It keeps only those that may still become the smallest or the largest when older ones have left: each comes and
/// leaves once, so that the cost of a number does not depend on how many are kept.
struct SlidingBounds: Sendable {
    private struct Entry: Sendable {
        let serial: Int
        let number: Double
    }

    /// Rising from the smallest, and falling from the largest.
    private var smallest = Deque<Entry>()
    private var largest = Deque<Entry>()
    private var oldest = 0
    private var next = 0

    /// From the smallest to the largest; nil if there is no number.
    var range: ClosedRange<Double>? {
        guard let lower = smallest.first, let upper = largest.first else { return nil }
        return lower.number...upper.number
    }

    mutating func append(_ number: Double) {
        while let last = smallest.last, last.number >= number { smallest.removeLast() }
        while let last = largest.last, last.number <= number { largest.removeLast() }
        smallest.append(Entry(serial: next, number: number))
        largest.append(Entry(serial: next, number: number))
        next += 1
    }

    mutating func removeFirst() {
        guard oldest < next else { return }
        if smallest.first?.serial == oldest { smallest.removeFirst() }
        if largest.first?.serial == oldest { largest.removeFirst() }
        oldest += 1
    }
}
