import StopDetection
import DequeModule
import Quantities

/// Confirms a stop if the fixes of the last interval are close together and slow, by the criteria of the function
/// `stationary`.
///
/// The window stores only the fixes of the interval and their bounding box. It evaluates all fixes again only if the box is small
/// enough.
struct StationaryWindow: Sendable {
    private let interval: Duration
    private let distance: Metres
    private let speed: MetresPerSecond
    private var fixes = Deque<Location>()
    private var latitudes = SlidingBounds()
    private var longitudes = SlidingBounds()
    private var lastLongitude: Double?

    /// Confirms a stop if the bounding box of the fixes of `interval` has a diagonal of at most `distance`, and if
    /// the average speed is below `speed`.
    ///
    /// An `interval` of zero never confirms a stop.
    init(interval: Duration, distance: Metres, speed: MetresPerSecond) {
        self.interval = interval
        self.distance = distance
        self.speed = speed
    }

    /// Adds a fix; returns where and when the vehicle stopped, or nil if the fixes do not confirm a stop.
    mutating func confirmsStop(_ fix: AcceptedFix) -> Location? {
        guard interval > .zero else { return nil }
        // The date was corrected, so the stored fixes have wrong dates.
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

/// The minimum and maximum of the latest numbers of a sequence.
///
/// The structure stores only the numbers that are the minimum or maximum, or can become it after older numbers are removed.
/// Each number is added and removed once, so the cost of a number does not depend on the length of the window.
struct SlidingBounds: Sendable {
    private struct Entry: Sendable {
        let serial: Int
        let number: Double
    }

    /// The candidates for the minimum in ascending order; `largest` contains the candidates for the maximum in descending order.
    private var smallest = Deque<Entry>()
    private var largest = Deque<Entry>()
    private var oldest = 0
    private var next = 0

    /// The range from the minimum to the maximum; nil if there is no number.
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
