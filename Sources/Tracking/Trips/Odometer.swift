package import Quantities

/// Between two fixes in quick succession, the measured speeds count rather than the positions. A receiver's Doppler
/// speed is accurate to a few centimetres per second, but the zigzag of positions is always longer than the road. If a
/// receiver reports speeds that are some per cent too low, the straight lines through the track reveal it.
package struct Odometer: Sendable, Hashable, Codable {
    /// Fixes with a larger error count only if their speeds bear them out; the distance to the next good fix covers the others.
    private static let accuracyLimit = Metres(100)
    /// Across a longer gap, the speeds at both ends do not determine the distance.
    private static let longestStep = Duration.seconds(5)
    /// At rest, only fixes that are farther away count: no receiver drifts this far.
    private static let unseenWay = Metres(250)
    /// The longest distance between two fixes whose dates do not show the time between them.
    private static let nearby = Metres(1000)
    /// The summed errors of two positions that state none; a fix with a larger error is poor.
    private static let usualError = Metres(20)
    /// If the new track lasts longer, the receiver does not return: it was wrong before the jump.
    private static let longestExcursion = Duration.seconds(60)
    /// The average speed over an excursion is at most this multiple of that at its faster end, or of `slowEnd` if larger.
    private static let excursionSpeedRatio = 1.5
    private static let slowEnd = MetresPerSecond(10)

    private struct Last: Sendable, Hashable, Codable {
        var place: Coordinate
        var time: Timestamp?
        var speed: MetresPerSecond?
        var error: Metres?
        /// The way counted since this fix during an excursion.
        var counted: Metres?

        /// True if the place stays in spite of a speed: the receiver is frozen, or its places are so coarse that only a
        /// change counts.
        func isRepeated(by fix: AcceptedFix, after step: Metres) -> Bool {
            guard let speed, let present = fix.position.speed else { return false }
            return min(speed, present) >= Fix.leastClaim && step <= Fix.onePlace
        }
    }

    /// Begins with a jump that no vehicle could have driven, and ends if the receiver returns or the new track lasts.
    private struct Excursion: Sendable, Hashable, Codable {
        let from: Last
        let began: Timestamp
        private(set) var counted = Metres.zero

        init(from last: Last, at time: Timestamp) { (from, began) = (last, time) }

        func lasts(at time: Timestamp) -> Bool { (.zero..<Odometer.longestExcursion).contains(time - began) }

        mutating func count(_ way: Metres) { counted = counted + way }
    }

    /// The value that was set last, plus the distance since then.
    package private(set) var distance = Metres.zero
    private var last: Last?
    /// The straight lines since the present comparison began.
    private var lines: TrackLines?
    /// The present excursion; the jump that began it may still be an error of the receiver.
    private var excursion: Excursion?
    /// By how much the distance by the speeds has recently exceeded that of the places.
    private var surplus: Metres?

    package init() {}

    /// At rest, a short way does not count, because it may be drift.
    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        let step = last?.place.distance(to: fix.coordinate) ?? .zero
        guard (fix.position.accuracy ?? .zero) <= Self.accuracyLimit || isBorneOut(fix, step: step) else { return }
        guard !isAtRest || isFarAway(fix, after: step) else { return }
        if excursion?.lasts(at: fix.time) == false { excursion = nil }
        if let last, last.isRepeated(by: fix, after: step) { return }
        let reading = distance
        if let last {
            count(way(from: last, to: fix, straight: step).map { max(.zero, $0 - (last.counted ?? .zero)) }, to: fix)
        }
        excursion?.count(distance - reading)
        last = Last(
            place: fix.coordinate, time: fix.time, speed: fix.position.speed, error: fix.position.accuracy)
    }

    /// The distance to this fix does not count. If the receiver soon returns to its former track, counting continues
    /// from the last fix before the error. If the new track lasts, the jump corrected an earlier error.
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

    mutating func park(at place: Coordinate) {
        last = Last(place: place)
        lines = nil
        excursion = nil
    }

    /// `way` is nil if no vehicle could have driven it. A count below the lines' length rises to it: no vehicle drives less.
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
        // Compare anew even if the count exceeds the lines, as on a curved road: the surplus could hide a later shortage.
        distance = distance + max(.zero, lines.difference)
        self.lines = TrackLines(from: fix)
    }

    /// Whether the speeds bear out the step to a poor fix.
    private func isBorneOut(_ fix: AcceptedFix, step: Metres) -> Bool {
        guard let after = fix.position.speed else { return false }
        guard let last, let time = last.time, let before = last.speed else { return true }
        let errors = (last.error ?? .zero) + fix.position.error
        guard (.zero...Self.longestStep).contains(fix.time - time) else { return step > errors * 2 }
        let driven = Metres((before + after).value / 2 * (fix.time - time).inSeconds)
        return (step - driven).magnitude <= errors
    }

    private func isFarAway(_ fix: AcceptedFix, after step: Metres) -> Bool {
        guard let last else { return false }
        let slack = (last.error ?? .zero) + (fix.position.accuracy ?? .zero)
        return step > Self.unseenWay + slack
    }

    /// If `last` has no time, or if the fix is not later, the fix must be near.
    private func isReachable(_ fix: AcceptedFix, from last: Last, straight step: Metres) -> Bool {
        let distance = step - ((last.error ?? Position.usualError) + fix.position.error)
        guard let time = last.time, fix.time > time else { return distance <= Self.nearby }
        return distance <= Metres(Fix.fastest.value * (fix.time - time).inSeconds)
    }

    /// Returns whether the speeds of both fixes allow the way from the last fix before the excursion.
    private func hasReturned(_ fix: AcceptedFix, from excursion: Excursion) -> Bool {
        let from = excursion.from
        let step = from.place.distance(to: fix.coordinate)
        guard isReachable(fix, from: from, straight: step) else { return false }
        guard let time = from.time, let speed = [from.speed, fix.position.speed].compactMap({ $0 }).max() else {
            return true
        }
        let errors = (from.error ?? Position.usualError) + fix.position.error
        let fastest = max(speed, Self.slowEnd).value * Self.excursionSpeedRatio
        let span = max(.zero, fix.time - time).inSeconds
        return step - errors <= Metres(fastest * span)
    }

    /// Returns the way to the fix; nil if no vehicle could have driven it. From a parked place every distance counts,
    /// since the time of departure is unknown.
    private mutating func way(from last: Last, to fix: AcceptedFix, straight step: Metres) -> Metres? {
        guard last.time == nil || isReachable(fix, from: last, straight: step) else { return nil }
        guard let time = last.time, (.zero...Self.longestStep).contains(fix.time - time), let before = last.speed,
            let after = fix.position.speed
        else { return step }
        let driven = Metres((before + after).value / 2 * (fix.time - time).inSeconds)
        // If the receiver repeats an old speed, the positions contradict that speed, so use the positions.
        let slack = last.error.flatMap { error in fix.position.accuracy.map { $0 + error } } ?? Self.usualError
        guard (step - driven).magnitude <= slack else { return step }
        // Each step may be within the errors although all speeds are too high, as with a wrong unit. The places zigzag, so the
        // steps add up to more than the road; only between two fixes far apart may the road be longer.
        let share = fix.time - time <= .seconds(2) ? 1.05 : 1.25
        let claimed = max(.zero, (surplus ?? .zero) + driven - step * share)
        guard claimed <= Self.usualError else { return step }
        surplus = claimed > .zero ? claimed : nil
        return driven
    }
}

/// Compares the distance counted along a track with straight lines through it. They have few corners, and no fix is
/// farther from them than the sampling bound. A line is therefore longer than the road by at most the errors of its two
/// ends, and the noise of the other fixes adds almost no length.
struct TrackLines: Sendable, Hashable, Codable {
    let startError: Metres
    /// The newest line goes from here to `end`, the last fix.
    private var corner: Coordinate
    private var end: Coordinate
    private var chord = Chord(bound: ChordRule.bound)
    /// The length of the lines up to the corner.
    private var finished = Metres.zero
    private var counted = Metres.zero

    init(from fix: AcceptedFix) {
        startError = fix.position.error
        (corner, end) = (fix.coordinate, fix.coordinate)
    }

    /// Positive if the count is too low.
    var difference: Metres { finished + corner.distance(to: end) - counted }

    mutating func count(_ way: Metres) { counted = counted + way }

    mutating func add(_ place: Coordinate) {
        if !chord.reach(from: corner, to: place) {
            finished = finished + corner.distance(to: end)
            corner = end
            chord = Chord(bound: ChordRule.bound)
            _ = chord.reach(from: corner, to: place)
        }
        end = place
    }
}
