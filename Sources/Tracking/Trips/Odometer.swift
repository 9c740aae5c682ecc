package import Quantities

/// Counts the metres of accepted movement.
///
/// Between two fixes that follow each other closely the measured speeds are trusted more than the places: a receiver's
/// Doppler speed is right to a few centimetres a second, while its places zigzag, which always makes the way longer.
package struct Odometer: Sendable, Hashable, Codable {
    /// A fix with a larger error does not count; the next good one spans the gap.
    private static let accuracyLimit = Metres(100)
    /// Across a longer gap the speeds at its ends say little about the way between.
    private static let longestStep = Duration.seconds(5)
    /// Who was that far away when he was seen last has come here, even if he rests now: nothing wanders so far.
    private static let unseenWay = Metres(250)
    /// Without a stated error, two places may be this wrong together.
    private static let usualError = Metres(20)

    private struct Last: Sendable, Hashable, Codable {
        var place: Coordinate
        var time: Timestamp?
        var speed: MetresPerSecond?
        var error: Metres?
    }

    /// Metres since the odometer was set.
    package private(set) var distance = Metres.zero
    private var last: Last?

    /// Makes an odometer at zero.
    package init() {}

    /// Counts the way to this fix, unless the vehicle rests: what the receiver wanders then is no way.
    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        guard (fix.position.accuracy ?? .zero) <= Self.accuracyLimit else { return }
        guard !isAtRest || isFarAway(fix) else { return }
        if let last { distance = distance + way(from: last, to: fix) }
        last = Last(
            place: fix.coordinate, time: fix.time, speed: fix.position.speed, error: fix.position.accuracy)
    }

    /// Sets what it shows.
    mutating func set(to distance: Metres) { self.distance = distance }

    /// The vehicle stands here: the next way is counted from this place.
    mutating func park(at place: Coordinate) { last = Last(place: place) }

    private func isFarAway(_ fix: AcceptedFix) -> Bool {
        guard let last else { return false }
        let slack = (last.error ?? .zero) + (fix.position.accuracy ?? .zero)
        return last.place.distance(to: fix.coordinate) > Self.unseenWay + slack
    }

    private func way(from last: Last, to fix: AcceptedFix) -> Metres {
        let step = last.place.distance(to: fix.coordinate)
        guard let time = last.time, fix.time - time <= Self.longestStep, let before = last.speed,
            let after = fix.position.speed
        else { return step }
        let driven = Metres((before + after).value / 2 * (fix.time - time).inSeconds)
        // A receiver whose speed sticks contradicts its own places.
        let slack = last.error.flatMap { error in fix.position.accuracy.map { $0 + error } } ?? Self.usualError
        return (step - driven).magnitude <= slack ? driven : step
    }
}
