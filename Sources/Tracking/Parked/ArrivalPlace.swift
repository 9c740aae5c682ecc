import Quantities

/// Determines where the vehicle came to rest.
struct ArrivalPlace: Sendable {
    /// Where it was parked before; nil if that is unknown.
    let parked: Position?
    /// The last fix since the departure; nil if there was none.
    let lastFixOfTrip: AcceptedFix?
    /// When it came to rest, in UTC.
    let restedAt: Timestamp
    /// When the stop was confirmed.
    let now: Instant

    /// Speed between the limits for roads outside towns and for motorways, in m/s.
    private static let usualSpeed = 30.0
    /// Acceleration of a car that reaches 100 km/h in 9 s, in m/s².
    private static let usualAcceleration = 3.0

    /// The place of an arrival; nil if no fix of the trip shows it, since the place of an earlier stop would be wrong.
    func place(of arrival: Arrival) -> Position? {
        let seen = arrival.position ?? arrival.lastFix?.position
        if arrival.isFalseStart { return placeOfFalseStart(seen: seen) }
        if let seen { return seen }
        // The stop rules restart when the options change or the program starts; the trip may be older.
        if let last = lastFixOfTrip {
            return last.position.blurred(by: Self.reach(in: restedAt - last.time, from: last.position.speed))
        }
        // Neither a fix nor the duration of the motion has confirmed a trip: the vehicle is not far from where it was.
        return arrival.doubtfulSince.flatMap { began in
            let span = max(.zero, (arrival.stillSince ?? now) - began)
            return parked?.blurred(by: Self.reach(in: span, from: .zero))
        }
    }

    /// The place before the false start, which has not moved the vehicle; a vague place is replaced by a fix.
    private func placeOfFalseStart(seen: Position?) -> Position? {
        guard let parked, let seen, parked.isVague, seen.error < parked.error else { return parked }
        return seen
    }

    /// The largest distance that a vehicle can drive unseen.
    private static func reach(in span: Duration, from speed: MetresPerSecond?) -> Metres {
        let (seconds, speed) = (max(0, span.inSeconds), max(0, speed?.value ?? usualSpeed))
        let accelerated = speed * seconds + usualAcceleration * seconds * seconds / 2
        return Metres(min(accelerated, max(speed, usualSpeed) * seconds))
    }
}
