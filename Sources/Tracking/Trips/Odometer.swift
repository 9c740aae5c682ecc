package import Quantities

/// Counts the metres of accepted movement.
///
/// Between two fixes in quick succession, the odometer prefers the measured speeds to the positions. A receiver's Doppler speed
/// is accurate to a few centimetres per second. Its positions zigzag, and a zigzag is always longer than the road. Some receivers
/// report speeds that are some per cent too low; the straight lines through the track reveal this error.
package struct Odometer: Sendable, Hashable, Codable {
    /// A fix with a larger error does not count; the distance to the next good fix covers the gap.
    private static let accuracyLimit = Metres(100)
    /// Across a longer gap, the speeds at both ends do not determine the distance.
    private static let longestStep = Duration.seconds(5)
    /// While the vehicle rests, a fix counts only if it is farther than this from the last counted fix, because no receiver
    /// drifts this far.
    private static let unseenWay = Metres(250)
    /// The longest plausible distance between two fixes if their dates do not show the time between them.
    private static let nearby = Metres(1000)
    /// The combined error of two positions without a stated error; a fix with a larger error is poor.
    private static let usualError = Metres(20)
    /// A receiver that has been wrong for longer than this does not return to its former track; it was wrong before.
    private static let longestExcursion = Duration.seconds(60)
    /// The average speed over an excursion is at most this multiple of the higher speed at its two ends, or of `slowEnd`.
    private static let excursionSpeedRatio = 1.5
    private static let slowEnd = MetresPerSecond(10)

    private struct Last: Sendable, Hashable, Codable {
        var place: Coordinate
        var time: Timestamp?
        var speed: MetresPerSecond?
        var error: Metres?
        /// The distance counted since this fix during an excursion; nil means zero.
        var counted: Metres?

        /// Whether the fix repeats this place although the receiver claims a speed.
        ///
        /// A frozen receiver does so, and a receiver with coarse places does between two of them. The way counts when the place
        /// changes.
        func isRepeated(by fix: AcceptedFix) -> Bool {
            let claims = [speed, fix.position.speed].compactMap { $0 }
            return claims.count == 2 && claims.allSatisfy { $0 >= Fix.leastClaim }
                && place.distance(to: fix.coordinate) <= Fix.onePlace
        }
    }

    /// The fixes since a jump that no vehicle could have driven, until the receiver returns or the new track has lasted.
    private struct Excursion: Sendable, Hashable, Codable {
        /// The last counted fix before the jump.
        let from: Last
        /// The time of the first fix after the jump.
        let began: Timestamp
        private(set) var counted = Metres.zero

        init(from last: Last, at time: Timestamp) { (from, began) = (last, time) }

        func lasts(at time: Timestamp) -> Bool { (.zero..<Odometer.longestExcursion).contains(time - began) }

        mutating func count(_ way: Metres) { counted = counted + way }
    }

    /// The reading: the value to which the odometer was set, plus the accepted movement since then.
    package private(set) var distance = Metres.zero
    private var last: Last?
    /// The straight lines since the start of the current comparison; nil if the next good fix begins a new comparison.
    private var lines: TrackLines?
    /// The jump that may still be an error of the receiver; nil if there is none.
    private var excursion: Excursion?
    /// By how much the speeds have recently claimed more than the places; nil if they have not.
    private var surplus: Metres?

    package init() {}

    /// Adds the distance to this fix, unless the vehicle is at rest and the distance may be the drift of the receiver.
    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        guard (fix.position.accuracy ?? .zero) <= Self.accuracyLimit else { return }
        guard !isAtRest || isFarAway(fix) else { return }
        if excursion?.lasts(at: fix.time) == false { excursion = nil }
        if let last, last.isRepeated(by: fix) { return }
        let reading = distance
        if let last { count(way(from: last, to: fix).map { max(.zero, $0 - (last.counted ?? .zero)) }, to: fix) }
        excursion?.count(distance - reading)
        last = Last(
            place: fix.coordinate, time: fix.time, speed: fix.position.speed, error: fix.position.accuracy)
    }

    /// Handles an accepted fix that no vehicle could have reached; the distance to this fix does not count.
    ///
    /// If the receiver returns to its former track soon, counting continues from the last fix before the error, so the
    /// excursion adds nothing. If the new track lasts, the jump corrected an earlier error.
    mutating func jump(to fix: AcceptedFix) {
        if let excursion, excursion.lasts(at: fix.time), hasReturned(fix, from: excursion) {
            last = excursion.from
            last?.counted = excursion.counted
            self.excursion = nil
        } else {
            excursion = last.map { Excursion(from: $0, at: fix.time) }
            last = nil
        }
        lines = nil
    }

    mutating func set(to distance: Metres) { self.distance = distance }

    /// Counts from this place, because the vehicle is parked there.
    mutating func park(at place: Coordinate) {
        last = Last(place: place)
        lines = nil
        excursion = nil
    }

    /// Adds `way`, and lengthens a count that is shorter than the straight lines through the track.
    ///
    /// A vehicle cannot drive a shorter distance than these lines.
    ///
    /// `way` is nil if no vehicle could have reached the fix; then the odometer adds nothing.
    private mutating func count(_ way: Metres?, to fix: AcceptedFix) {
        guard let way else {
            lines = nil
            return
        }
        distance = distance + way
        // The zigzag of poor fixes would make the lines longer than the road.
        guard fix.position.error <= Self.usualError else {
            lines?.count(way)
            return
        }
        guard lines != nil else {
            lines = TrackLines(from: fix)
            return
        }
        lines?.count(way)
        lines?.add(fix.coordinate)
        guard let lines, lines.difference.magnitude > max(Self.usualError, lines.startError + fix.position.error)
        else { return }
        // Begin a new comparison even if the count exceeds the lines, as on a curved road. Otherwise this surplus could
        // hide a later shortage.
        distance = distance + max(.zero, lines.difference)
        self.lines = TrackLines(from: fix)
    }

    private func isFarAway(_ fix: AcceptedFix) -> Bool {
        guard let last else { return false }
        let slack = (last.error ?? .zero) + (fix.position.accuracy ?? .zero)
        return last.place.distance(to: fix.coordinate) > Self.unseenWay + slack
    }

    /// Whether a vehicle could have driven from `last` to the fix.
    ///
    /// If the time of `last` is unknown or not earlier, the fix must be near.
    private func isReachable(_ fix: AcceptedFix, from last: Last) -> Bool {
        let errors = (last.error ?? Position.usualError) + fix.position.error
        let distance = last.place.distance(to: fix.coordinate) - errors
        guard let time = last.time, fix.time > time else { return distance <= Self.nearby }
        return distance <= Metres(Fix.fastest.value * (fix.time - time).inSeconds)
    }

    /// Whether the fix is as near to the place before the excursion as the speeds there and here allow.
    private func hasReturned(_ fix: AcceptedFix, from excursion: Excursion) -> Bool {
        let from = excursion.from
        guard isReachable(fix, from: from) else { return false }
        guard let time = from.time, let speed = [from.speed, fix.position.speed].compactMap({ $0 }).max() else {
            return true
        }
        let errors = (from.error ?? Position.usualError) + fix.position.error
        let fastest = max(speed, Self.slowEnd).value * Self.excursionSpeedRatio
        let span = max(.zero, fix.time - time).inSeconds
        return from.place.distance(to: fix.coordinate) - errors <= Metres(fastest * span)
    }

    /// Returns the distance driven between two fixes; nil if no vehicle could have driven this distance.
    ///
    /// From a parked place, every distance counts, because the time of the departure is unknown.
    private mutating func way(from last: Last, to fix: AcceptedFix) -> Metres? {
        let step = last.place.distance(to: fix.coordinate)
        guard last.time == nil || isReachable(fix, from: last) else { return nil }
        guard let time = last.time, (.zero...Self.longestStep).contains(fix.time - time), let before = last.speed,
            let after = fix.position.speed
        else { return step }
        let driven = Metres((before + after).value / 2 * (fix.time - time).inSeconds)
        // If the receiver repeats an old speed, the positions contradict that speed, so use the positions.
        let slack = last.error.flatMap { error in fix.position.accuracy.map { $0 + error } } ?? Self.usualError
        guard (step - driven).magnitude <= slack else { return step }
        // Each step may be within the errors although all speeds are too high, as with a wrong unit. The places zigzag, so their
        // sum is longer than the road; only between two fixes far apart may the road be longer.
        let share = fix.time - time <= .seconds(2) ? 1.05 : 1.25
        let claimed = max(.zero, (surplus ?? .zero) + driven - step * share)
        guard claimed <= Self.usualError else { return step }
        surplus = claimed > .zero ? claimed : nil
        return driven
    }
}
