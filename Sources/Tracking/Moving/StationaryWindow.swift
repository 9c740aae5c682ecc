import DequeModule
import Quantities
import StopDetection

/// Applies the criteria of the function `stationary`, but stores only the fixes of the interval and their bounding
/// box; it evaluates all fixes again only if the box is small enough.
struct StationaryWindow: Sendable {
    private let interval: Duration
    private let distance: Metres
    private let speed: MetresPerSecond
    private var fixes = Deque<Location>()
    private var latitudes = SlidingBounds()
    private var longitudes = SlidingBounds()
    private var lastLongitude: Double?

    /// At a stop, the diagonal is at most `distance`, and the average speed is below `speed`. With an `interval` of
    /// zero, there is no stop.
    init(interval: Duration, distance: Metres, speed: MetresPerSecond) {
        self.interval = interval
        self.distance = distance
        self.speed = speed
    }

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

/// Stores only the numbers that are the minimum or maximum of the window, or can become it after older ones are
/// removed. Each is added and removed once, so its cost does not depend on the length of the window.
struct SlidingBounds: Sendable {
    /// Candidates for the minimum, ascending; those for the maximum descend.
    private var smallest = Deque<(serial: Int, number: Double)>()
    private var largest = Deque<(serial: Int, number: Double)>()
    private var oldest = 0
    private var next = 0

    var range: ClosedRange<Double>? {
        guard let lower = smallest.first, let upper = largest.first else { return nil }
        return lower.number...upper.number
    }

    mutating func append(_ number: Double) {
        while let last = smallest.last, last.number >= number { smallest.removeLast() }
        while let last = largest.last, last.number <= number { largest.removeLast() }
        smallest.append((serial: next, number: number))
        largest.append((serial: next, number: number))
        next += 1
    }

    mutating func removeFirst() {
        guard oldest < next else { return }
        if smallest.first?.serial == oldest { smallest.removeFirst() }
        if largest.first?.serial == oldest { largest.removeFirst() }
        oldest += 1
    }
}

/// Finds that no two fixes of a duration are provably farther apart than `distance`.
struct PlaceWindow: Sendable, Hashable {
    private let duration: Duration
    private let distance: Metres
    private var fixes = Deque<AcceptedFix>()

    init(duration: Duration, distance: Metres) {
        self.duration = duration
        self.distance = distance
    }

    /// Whether the fixes cover the whole duration and are close together.
    mutating func isFilled(by fix: AcceptedFix) -> Bool {
        // The date was corrected, so the stored fixes have wrong dates.
        if let last = fixes.last, fix.time <= last.time { fixes.removeAll() }
        let apart = fixes.lastIndex { fix.position.isProvablyAway(from: $0.position, by: distance) }
        if let apart { fixes.removeFirst(apart + 1) }
        fixes.append(fix)
        while fixes.count > 1, fix.time - fixes[1].time >= duration { fixes.removeFirst() }
        return fix.time - fixes[0].time >= duration
    }
}
