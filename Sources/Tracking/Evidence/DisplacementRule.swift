import Quantities

/// Finds that the vehicle is provably not where it was parked, and whether it moves or stands at the new place.
struct DisplacementRule: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        case none
        case undecided
        case moving
        case standing(at: Position)
    }

    /// By how much the distance must exceed the sum of both errors; receivers understate errors by less than this.
    static let distance = Metres(20)
    /// The measured speed of a standing vehicle is below this.
    private static let slow = MetresPerSecond(1)
    /// Fixes this far apart, beyond their errors, show movement if the receiver reports no speed.
    private static let step = Metres(10)
    /// Reflected signals displace a fix for tens of seconds, so fixes at rest must be close together for this time.
    private static let settling = Duration.seconds(30)
    static let longestGap = Duration.seconds(10)
    /// One fix may have a wrong speed or position.
    private static let minimumProofs = 2

    private struct Series: Sendable, Hashable {
        let began: Instant
        var last: Instant
        var mean: FixMean
        var proofs = 0
    }

    private var series: Series?

    /// The vehicle counts as not displaced if `place` is vague, or if the distance is below the errors plus `distance`.
    mutating func judge(
        _ fix: AcceptedFix, parkedAt place: Position, beyond distance: Metres = Self.distance,
        longestGap: Duration = Self.longestGap, at now: Instant
    ) -> Verdict {
        guard !place.isVague, isAway(fix.position, from: place, by: distance) else {
            series = nil
            return .none
        }
        var current = series ?? Series(began: now, last: now, mean: FixMean(fix))
        if now - current.last > longestGap { current = Series(began: now, last: now, mean: FixMean(fix)) }
        current.last = now
        let isApart = isAway(fix.position, from: current.mean.first.position, by: Self.step)
        guard !(fix.position.speed.map { $0 > Self.slow } ?? isApart) else {
            current.proofs += 1
            series = current
            return current.proofs >= Self.minimumProofs ? .moving : .undecided
        }
        current.proofs = 0
        if isApart {
            // A slow vehicle has moved on, so begin a new series of fixes.
            current = Series(began: now, last: now, mean: FixMean(fix))
        } else {
            current.mean.add(fix)
        }
        series = current
        return now - current.began >= Self.settling ? .standing(at: current.mean.position) : .undecided
    }

    private func isAway(_ position: Position, from place: Position, by distance: Metres) -> Bool {
        place.coordinate.distance(to: position.coordinate) > distance + position.error + place.error
    }
}
