import TrackingOptions
package import Motion
import Quantities

/// Detects harsh driving and towing if `drivingEvents` is on, and overspeed if there is a `speedLimit`.
package struct SafetyWatch: Sendable {
    private var driving: DrivingRule
    private var tow: TowRule
    private var overspeed: OverspeedRule

    init(restoring snapshot: Snapshot) {
        driving = DrivingRule(mounting: snapshot.mounting)
        tow = TowRule(restoring: snapshot.tow)
        overspeed = OverspeedRule(restoring: snapshot.overspeed)
    }

    /// Whether a reported period of overspeed has not ended.
    var isOverspeeding: Bool { overspeed.spell != nil }

    /// Handles a fix or a verdict of the accelerometer, and records the driving events that this input completes.
    mutating func take(_ event: DrivingRule.Event, _ logbook: Logbook, in turn: inout Turn) {
        guard turn.options.drivingEvents else { return }
        for event in driving.handle(event, at: turn.now) {
            logbook.record(.driving(event), in: &turn)
        }
        switch event {
        case .motion(let verdict): watchTow(.motion(verdict), logbook, in: &turn)
        case .fix(let fix): watchTow(.fix(fix), logbook, in: &turn)
        }
    }

    /// Handles an input event of `TowRule`, and records a tow if the rule detects one.
    mutating func watchTow(_ event: TowRule.Event, _ logbook: Logbook, in turn: inout Turn) {
        guard turn.options.drivingEvents, let event = tow.handle(event, at: turn.now) else { return }
        logbook.record(.driving(event), in: &turn)
    }

    /// Compares the speed of a fix with the limit, and records the beginning and the end of overspeed.
    mutating func watchSpeed(of fix: AcceptedFix, _ logbook: Logbook, in turn: inout Turn) {
        for event in overspeed.handle(fix, limit: turn.options.speedLimit) {
            logbook.record(.driving(event), in: &turn)
        }
    }

    /// Records the end of overspeed if the vehicle stops during a period of overspeed.
    mutating func endOverspeed(_ logbook: Logbook, in turn: inout Turn) {
        guard let event = overspeed.end() else { return }
        logbook.record(.driving(event), in: &turn)
    }

    /// The state to keep over a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// The mounting of the accelerometer, as far as it is known.
        package var mounting = MountingEstimate()
        /// The state of tow detection.
        package var tow = TowRule.Memory.off(parked: nil)
        /// The reported period of overspeed that has not ended; nil if there is none.
        package var overspeed: OverspeedRule.Spell?

        package enum CodingKeys: String, CodingKey { case mounting, tow, overspeed }
    }

    var snapshot: Snapshot {
        Snapshot(mounting: driving.mounting, tow: tow.memory, overspeed: overspeed.spell)
    }
}

extension SafetyWatch.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.mounting, into: &mounting)
        fields.read(.tow, into: &tow)
        fields.read(.overspeed, into: &overspeed)
    }
}
