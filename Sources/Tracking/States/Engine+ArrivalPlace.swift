import Quantities

extension Engine {
    /// Where the vehicle came to rest; nil if no fix of the trip shows it: the place of an earlier stop is not that of this one.
    func arrivalPlace(_ arrival: Arrival, restedAt time: Timestamp, at now: Instant) -> Position? {
        let seen = arrival.position ?? arrival.lastFix?.position
        if arrival.isFalseStart { return placeOfFalseStart(seen: seen) }
        if let seen { return seen }
        // The stop rules begin anew when the options change or the program starts; the trip is older than they are.
        if state.isLastFixOfTrip, let last = state.lastFix {
            return last.position.blurred(by: Self.reach(in: time - last.time, from: last.position.speed))
        }
        return isStartInDoubt ? placeOfDoubtfulStart(until: arrival.stillSince ?? now) : nil
    }

    /// A false start has not moved the vehicle, whatever the receiver saw; but a vague place gives way to a fix.
    private func placeOfFalseStart(seen: Position?) -> Position? {
        guard let parked = state.parked, let seen, parked.isVague, seen.error < parked.error else {
            return state.parked
        }
        return seen
    }

    /// Motion that no fix and no length of time has confirmed as a trip: the vehicle is not far from where it was.
    private func placeOfDoubtfulStart(until moment: Instant) -> Position? {
        let span = movingSince.map { max(.zero, moment - $0) } ?? .zero
        return state.parked?.blurred(by: Self.reach(in: span, from: .zero))
    }

    private var isStartInDoubt: Bool {
        if case .moving(let moving) = phase { moving.isStartInDoubt } else { false }
    }

    /// How far a vehicle comes without being seen.
    private static func reach(in span: Duration, from speed: MetresPerSecond?) -> Metres {
        let (seconds, speed) = (max(0, span.inSeconds), max(0, speed?.value ?? usualSpeed))
        let accelerated = speed * seconds + usualAcceleration * seconds * seconds / 2
        return Metres(min(accelerated, max(speed, usualSpeed) * seconds))
    }

    /// Between the limits on roads outside towns and on motorways, in m/s.
    private static let usualSpeed = 30.0
    /// What cars reach from standing to 100 km/h in 9 s, in m/s².
    private static let usualAcceleration = 3.0
}
