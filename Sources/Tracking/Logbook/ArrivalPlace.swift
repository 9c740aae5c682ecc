import Quantities

/// Determines where the vehicle came to rest.
struct ArrivalPlace: Sendable {
    /// Where the vehicle was parked before; nil if the place is unknown.
    let parked: Position?
    /// The last fix since the departure; nil if there was none.
    let lastFixOfTrip: AcceptedFix?
    /// When the vehicle came to rest, in UTC.
    let restedAt: Timestamp
    /// When a rule confirmed the stop.
    let now: Instant

    /// A speed between the limits of rural roads and of motorways, in m/s.
    private static let usualSpeed = 30.0
    /// Acceleration of a car that reaches 100 km/h in 9 s, in m/s².
    private static let usualAcceleration = 3.0

    /// Returns the place of an arrival; nil if the place is unknown, because the place of an earlier stop would be wrong.
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

    /// Returns the place before the false start, unless the vehicle is provably elsewhere; a more accurate fix replaces a vague
    /// place.
    private func placeOfFalseStart(seen: Position?) -> Position? {
        guard let parked, let seen else { return parked }
        let isBetter = parked.isVague && seen.error < parked.error
        let isElsewhere = !parked.isVague && seen.isProvablyAway(from: parked, by: DisplacementRule.distance)
        return isBetter || isElsewhere ? seen : parked
    }

    /// Returns the largest distance that a vehicle is likely to drive in this time.
    ///
    /// `speed` is the speed at the beginning of this time, or nil if the speed is unknown.
    private static func reach(in span: Duration, from speed: MetresPerSecond?) -> Metres {
        let (seconds, speed) = (max(0, span.inSeconds), max(0, speed?.value ?? usualSpeed))
        let accelerated = speed * seconds + usualAcceleration * seconds * seconds / 2
        return Metres(min(accelerated, max(speed, usualSpeed) * seconds))
    }
}
