package import Calendar
package import Quantities

/// Says whether to track now, and when to ask again.
///
/// Without a clock that is to be believed it is open, and what is tracked then is marked. Ask with every event that
/// sets the clock, and when the time is over after which to look again.
package struct ScheduleGate: Sendable, Hashable {
    /// What the schedule says at the moment.
    package enum State: Sendable, Hashable {
        /// Nobody knows what time it is; track, and mark.
        case unknown
        /// Track.
        case open
        /// Do not track, or tag what is tracked.
        case closed
    }

    /// What came out of a look at the clock.
    package struct Outcome: Sendable, Hashable {
        /// What holds now.
        package let state: State
        /// Whether something else held before.
        package let hasChanged: Bool
        /// When it changes next, as far as that is known.
        package let nextChange: Schedule.Change?
        /// How long it may take until the next look; nothing: for ever.
        package let lookAgainAfter: Duration?
    }

    /// Looks at least once a day, so that a clock that was set is noticed even when nobody tells.
    private static let longestPause = Duration.seconds(86_400)

    private var schedule: Schedule

    /// What the last look said.
    package private(set) var state: State

    /// Begins without a clock: what is restricted is unknown.
    package init(_ schedule: Schedule) {
        self.schedule = schedule
        state = schedule.isUnrestricted ? .open : .unknown
    }

    /// Takes another schedule; look at once afterwards.
    package mutating func follow(_ schedule: Schedule) { self.schedule = schedule }

    /// Looks at the clock, which says nothing when it is not to be believed.
    package mutating func look(at clock: Timestamp?) -> Outcome {
        let before = state
        guard !schedule.isUnrestricted else {
            state = .open
            return Outcome(state: state, hasChanged: state != before, nextChange: nil, lookAgainAfter: nil)
        }
        state = clock.map { schedule.isOpen(at: $0) ? .open : .closed } ?? .unknown
        let next = clock.flatMap { schedule.nextChange(after: $0) }
        let wait = clock.flatMap { clock in next.map { $0.time - clock } } ?? Self.longestPause
        return Outcome(
            state: state, hasChanged: state != before, nextChange: next, lookAgainAfter: min(wait, Self.longestPause))
    }
}
