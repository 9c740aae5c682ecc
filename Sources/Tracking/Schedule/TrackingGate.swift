import TrackingOptions
import Calendar
import Quantities

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
