import Quantities

extension Engine {
    /// Puts right what was dated by guess, when the time has become known.
    mutating func mend(_ effects: [Effect], at now: Instant) -> [Effect] {
        guard case .mend(_, let span)? = effects.first else { return effects }
        state.trips.mend(by: span)
        if !state.isParkedSinceTrusted { state.parkedSince = state.parkedSince.map { $0 + span } }
        state.isParkedSinceTrusted = true
        return effects + lookAtSchedule(at: now)
    }
}
