import Quantities

extension Engine {
    /// Puts right what was dated by guess, when the time has become known.
    mutating func mend(_ effects: [Effect], at now: Instant) -> [Effect] {
        guard case .mend(_, let span)? = effects.first else { return effects }
        if let guessedTrip, guessedTrip == state.trips.number { state.trips.mend(by: span) }
        if isStayGuessed { state.parkedSince = state.parkedSince.map { $0 + span } }
        (guessedTrip, isStayGuessed) = (nil, false)
        return effects + lookAtSchedule(at: now)
    }
}
