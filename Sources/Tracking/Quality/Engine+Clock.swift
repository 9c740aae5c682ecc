import Quantities

extension Engine {
    /// Puts right what was dated by guess, when the time has become known.
    mutating func mend(_ effects: [Effect], at now: Instant) -> [Effect] {
        var mended = effects
        for case .mend(_, let span) in effects {
            mendGuesses(by: span)
            mended += lookAtSchedule(at: now)
        }
        return mended
    }

    // Not inlined: the optimiser of Swift 6.3.1 ends with "Found ownership error" where it is.
    @inline(never)
    private mutating func mendGuesses(by span: Duration) {
        if let number = state.trips.number {
            state.trips.mend(by: span, start: guessedStart == number, end: guessedEnd == number)
        }
        if isStayGuessed, let since = state.parkedSince { state.parkedSince = since + span }
        guessedStart = nil
        guessedEnd = nil
        isStayGuessed = false
    }
}
