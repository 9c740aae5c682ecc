import Quantities

struct ArrivalPlace: Sendable {
    let parked: Position?
    /// Nil without a fix since the departure.
    let lastFixOfTrip: AcceptedFix?
    let restedAt: Timestamp
    let now: Instant

    /// In m/s, between the limits of rural roads and of motorways.
    private static let usualSpeed = 30.0
    /// In m/s², for 100 km/h in 9 s.
    private static let usualAcceleration = 3.0

    /// Nil if the place is unknown, since that of an earlier stop would be wrong.
    func place(of arrival: Arrival) -> Position? {
        let seen = arrival.position ?? arrival.lastFix?.position
        if arrival.isFalseStart { return placeOfFalseStart(seen: seen) }
        if let seen { return seen }
        // The stop rules lose their last fix when the options change or the program starts, so use the last fix of the trip.
        if let last = lastFixOfTrip {
            return last.position.blurred(by: Self.reach(in: restedAt - last.time, from: last.position.speed))
        }
        // If neither a fix nor the duration of the motion has confirmed the trip, the vehicle is still near its last place.
        return arrival.doubtfulSince.flatMap { began in
            let span = max(.zero, (arrival.stillSince ?? now) - began)
            return parked?.blurred(by: Self.reach(in: span, from: .zero))
        }
    }

    /// The place before the start, unless the vehicle is provably elsewhere; a better fix replaces a vague place.
    private func placeOfFalseStart(seen: Position?) -> Position? {
        guard let parked, let seen else { return parked }
        let isBetter = parked.isVague && seen.error < parked.error
        let isElsewhere = !parked.isVague && seen.isProvablyAway(from: parked, by: DisplacementRule.distance)
        return isBetter || isElsewhere ? seen : parked
    }

    /// How far a vehicle is likely to drive; `speed` is that at the beginning.
    private static func reach(in span: Duration, from speed: MetresPerSecond?) -> Metres {
        let (seconds, speed) = (max(0, span.inSeconds), max(0, speed?.value ?? usualSpeed))
        let accelerated = speed * seconds + usualAcceleration * seconds * seconds / 2
        return Metres(min(accelerated, max(speed, usualSpeed) * seconds))
    }
}
