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
    /// A way of this length may lie between two fixes of which it is not known how much time was between them.
    private static let nearby = Metres(1000)
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
    /// Where the way was left when a fix was believed that cannot follow on it.
    private var abandoned: Last?

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

    /// A fix is believed that no vehicle could have reached: the way to it does not count.
    ///
    /// Back from a glitch of the receiver, the way goes on where it was left.
    mutating func jump(to fix: AcceptedFix) {
        if let abandoned, isReachable(fix, from: abandoned) {
            last = abandoned
            self.abandoned = nil
        } else {
            abandoned = last
            last = nil
        }
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

    /// Whether a vehicle could have come from there; without two times in order, whether it is near.
    private func isReachable(_ fix: AcceptedFix, from last: Last) -> Bool {
        let errors = (last.error ?? Position.usualError) + fix.position.error
        let distance = last.place.distance(to: fix.coordinate) - errors
        guard let time = last.time, fix.time > time else { return distance <= Self.nearby }
        return distance <= Metres(Fix.fastest.value * (fix.time - time).inSeconds)
    }

    private func way(from last: Last, to fix: AcceptedFix) -> Metres {
        let step = last.place.distance(to: fix.coordinate)
        guard last.time == nil || isReachable(fix, from: last) else { return .zero }
        guard let time = last.time, (.zero...Self.longestStep).contains(fix.time - time), let before = last.speed,
            let after = fix.position.speed
        else { return step }
        let driven = Metres((before + after).value / 2 * (fix.time - time).inSeconds)
        // A receiver whose speed sticks contradicts its own places.
        let slack = last.error.flatMap { error in fix.position.accuracy.map { $0 + error } } ?? Self.usualError
        return (step - driven).magnitude <= slack ? driven : step
    }
}
