import Quantities

extension Engine {
    /// Puts right what was dated by guess, when the time has become known.
    mutating func mend(_ effects: [Effect], at now: Instant) -> [Effect] {
        for effect in effects { mendGuesses(by: effect) }
        return effects.isEmpty ? [] : effects + lookAtSchedule(at: now)
    }

    private mutating func mendGuesses(by effect: Effect) {
        guard case .mend(_, let span) = effect else { return }
        if let guessedTrip, guessedTrip == state.trips.number { state.trips.mend(by: span) }
        if isStayGuessed, let since = state.parkedSince { state.parkedSince = since + span }
        guessedTrip = nil
        isStayGuessed = false
    }
}
