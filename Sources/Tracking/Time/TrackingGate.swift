package import Calendar
package import Quantities
import TrackingOptions

/// Whether anything is tracked now: somebody may have switched tracking off, or the schedule may forbid it.
package struct TrackingGate: Sendable {
    private let zone: TimeZoneRules
    private var gate: ScheduleGate
    /// Whether somebody has switched tracking off.
    var isSwitchedOff: Bool

    init(_ options: TrackingOptions, zone: TimeZoneRules, restoring snapshot: Snapshot) {
        self.zone = zone
        gate = ScheduleGate(Schedule(options, zone: zone))
        isSwitchedOff = snapshot.isSwitchedOff
    }

    /// Whether the schedule forbids tracking, or has it tagged.
    var isOffSchedule: Bool { gate.state == .closed }

    /// Whether nothing is tracked now.
    func isSuspended(_ options: TrackingOptions) -> Bool {
        isSwitchedOff || isOffSchedule && !options.trackOutsideSchedule
    }

    /// When the schedule changes next; nil if it does not, or if UTC is not known.
    func nextChange(at now: UTCTime, _ options: TrackingOptions) -> Timestamp? {
        let schedule = Schedule(options, zone: zone)
        return now.isTrusted && !schedule.isUnrestricted ? schedule.nextChange(after: now.time)?.time : nil
    }

    /// Follows the schedule of other options; call `update` afterwards.
    mutating func follow(_ options: TrackingOptions) { gate.follow(Schedule(options, zone: zone)) }

    /// Asks the schedule what applies now and arms the timer of its next change; returns the reason if tracking is affected.
    ///
    /// `wasSuspended`: whether tracking was suspended before what led to this.
    mutating func update(
        wasSuspended: Bool, _ context: Context, into effects: inout EffectBuffer
    ) -> (reason: String, next: Instant?)? {
        let now = context.utc
        let outcome = gate.look(at: now.isTrusted ? now.time : nil)
        let next = outcome.lookAgainAfter.map { context.now + $0 }
        let isSuspended = isSuspended(context.options)
        guard outcome.hasChanged || isSuspended != wasSuspended else {
            if let next { effects.arm(.schedule, at: next) }
            return nil
        }
        let reason =
            switch (outcome.hasChanged, gate.state) {
            case (true, .closed): "the schedule has closed"
            case (true, .open), (true, .unknown): "the schedule is open"
            case (false, _): "tracking outside the schedule is \(isSuspended ? "no longer allowed" : "allowed")"
            }
        effects.decide(.schedule, reason)
        return (reason, next)
    }

    /// What survives a restart.
    package struct Snapshot: EngineSnapshot {
        /// Whether somebody has switched tracking off.
        package var isSwitchedOff = false

        package enum CodingKeys: String, CodingKey { case isSwitchedOff }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.isSwitchedOff, into: &isSwitchedOff)
        }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(isSwitchedOff: isSwitchedOff) }
}

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
