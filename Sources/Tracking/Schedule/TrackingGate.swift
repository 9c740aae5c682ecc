package import Calendar
package import Quantities
import TrackingOptions

/// Decides whether tracking is allowed: a user may have switched it off, or the schedule may forbid it.
package struct TrackingGate: Sendable {
    private var zone: TimeZoneRules
    private var gate: ScheduleGate
    var isSwitchedOff: Bool

    init(_ options: TrackingOptions, zone: TimeZoneRules, restoring snapshot: Snapshot) {
        self.zone = zone
        gate = ScheduleGate(Schedule(options, zone: zone))
        isSwitchedOff = snapshot.isSwitchedOff
    }

    var isOffSchedule: Bool { gate.state == .closed }

    func isSuspended(_ shared: SharedOptions) -> Bool {
        isSwitchedOff || isOffSchedule && !shared.options.trackOutsideSchedule
    }

    func nextChange(at now: UTCTime, _ options: TrackingOptions) -> Timestamp? {
        let schedule = Schedule(options, zone: zone)
        return now.isTrusted && !schedule.isUnrestricted ? schedule.nextChange(after: now.time) : nil
    }

    mutating func follow(_ options: TrackingOptions) { gate.follow(Schedule(options, zone: zone)) }

    /// Call `update` afterwards.
    mutating func follow(_ options: TrackingOptions, zone: TimeZoneRules) {
        self.zone = zone
        follow(options)
    }

    /// If the schedule has opened or closed, or tracking must begin or end, returns the reason, and when the next
    /// evaluation is due (nil: never); the caller must arm the timer for it. Otherwise arms the timer itself, and returns
    /// nil. `wasSuspended` is the state before the event.
    mutating func update(wasSuspended: Bool, in turn: inout Turn) -> (reason: String, next: Instant?)? {
        let now = turn.utc
        let outcome = gate.look(at: now.isTrusted ? now.time : nil)
        let next = outcome.lookAgainAfter.map { turn.now + $0 }
        let isSuspended = isSuspended(turn.shared)
        guard outcome.hasChanged || isSuspended != wasSuspended else {
            if let next { turn.effects.arm(.schedule, at: next) }
            return nil
        }
        let reason =
            switch (outcome.hasChanged, gate.state) {
            case (true, .closed): "the schedule has closed"
            case (true, .open), (true, .unknown): "the schedule is open"
            case (false, _): "tracking outside the schedule is \(isSuspended ? "no longer allowed" : "allowed")"
            }
        turn.effects.decide(.schedule, reason)
        return (reason, next)
    }

    package struct Snapshot: EngineSnapshot {
        package var isSwitchedOff = false

        package enum CodingKeys: String, CodingKey { case isSwitchedOff }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.isSwitchedOff, into: &isSwitchedOff)
        }
    }

    var snapshot: Snapshot { Snapshot(isSwitchedOff: isSwitchedOff) }
}

/// Without a trusted clock the state is unknown: tracking continues, and the records state that their time is
/// untrusted. Call `look` after every event that sets the clock, and when `lookAgainAfter` has passed.
package struct ScheduleGate: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// The clock is not trusted.
        case unknown
        case open
        /// Tracking is not allowed, or only with the tag for tracking outside the schedule.
        case closed
    }

    package struct Outcome: Sendable, Hashable {
        package let hasChanged: Bool
        /// Nil if no further evaluation is necessary.
        package let lookAgainAfter: Duration?
    }

    /// The schedule is evaluated at least once a day, to notice a clock change without an event.
    private static let longestPause = Duration.seconds(86_400)

    private var schedule: Schedule

    package private(set) var state: State

    package init(_ schedule: Schedule) {
        self.schedule = schedule
        state = schedule.isUnrestricted ? .open : .unknown
    }

    /// Call `look` at once afterwards.
    package mutating func follow(_ schedule: Schedule) { self.schedule = schedule }

    /// `clock` is nil if it is not trusted.
    package mutating func look(at clock: Timestamp?) -> Outcome {
        let before = state
        guard !schedule.isUnrestricted else {
            state = .open
            return Outcome(hasChanged: state != before, lookAgainAfter: nil)
        }
        state = clock.map { schedule.isOpen(at: $0) ? .open : .closed } ?? .unknown
        let wait = clock.flatMap { clock in schedule.nextChange(after: clock).map { $0 - clock } }
        return Outcome(hasChanged: state != before, lookAgainAfter: min(wait ?? Self.longestPause, Self.longestPause))
    }
}
