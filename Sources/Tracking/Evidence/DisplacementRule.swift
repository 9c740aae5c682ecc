import Quantities

/// Detects that the vehicle is provably not where it was parked, and whether it moves or stands at the new place.
struct DisplacementRule: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        /// The vehicle may be where it was parked.
        case none
        /// The vehicle is elsewhere; more fixes are needed.
        case undecided
        /// The vehicle is elsewhere and moves.
        case moving
        /// The vehicle is elsewhere and stands at this position.
        case standing(at: Position)
    }

    /// A vehicle is elsewhere if its distance from the parked place exceeds the sum of both errors by more than this.
    ///
    /// Receivers understate their errors by less than this distance.
    static let distance = Metres(20)
    /// A vehicle with a higher measured speed moves; the measured speed of a standing vehicle is below this value.
    private static let slow = MetresPerSecond(1)
    /// Without a measured speed, a vehicle moves if two fixes show this displacement beyond their errors.
    private static let step = Metres(10)
    /// The fixes of a standing vehicle must be close together for this time.
    ///
    /// Reflected signals displace a fix for tens of seconds.
    private static let settling = Duration.seconds(30)
    /// After a gap longer than this, a new series of fixes begins.
    static let longestGap = Duration.seconds(10)
    /// One fix may have a wrong speed or position; two such fixes in a row are proof.
    private static let minimumProofs = 2

    private struct Series: Sendable, Hashable {
        let began: Instant
        var last: Instant
        var mean: FixMean
        var proofs = 0
    }

    private var series: Series?

    /// Judges a fix of a vehicle that was parked at `place`.
    ///
    /// If the distance from `place` exceeds the sum of both errors by at most `distance`, or if `place` is vague, the
    /// vehicle may still be there.
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
