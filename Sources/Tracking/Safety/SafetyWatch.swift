import TrackingOptions
package import Motion
import Quantities

/// Reports harsh driving, impacts and tows if `drivingEvents` is on, and overspeed if there is a `speedLimit`.
package struct SafetyWatch: Sendable {
    private var driving: DrivingRule
    private var tow: TowRule
    private var overspeed: OverspeedRule
    /// A tow that is not recorded yet, because it must first end a private period.
    private var pendingTow: DrivingEvent?

    init(restoring snapshot: Snapshot) {
        driving = DrivingRule(mounting: snapshot.mounting)
        tow = TowRule(restoring: snapshot.tow)
        overspeed = OverspeedRule(restoring: snapshot.overspeed)
    }

    mutating func handle(_ fix: AcceptedFix, _ logbook: Logbook, in turn: inout Turn) {
        if turn.options.drivingEvents { handle(.fix(fix), logbook, in: &turn) }
        if turn.isMoving, turn.options.speedLimit > .zero || overspeed.spell != nil {
            for event in overspeed.handle(fix, limit: turn.options.speedLimit) {
                logbook.record(.driving(event), in: &turn)
            }
        }
    }

    mutating func handle(_ event: DrivingRule.Event, _ logbook: Logbook, in turn: inout Turn) {
        guard turn.options.drivingEvents else { return }
        for event in driving.handle(event, at: turn.now) {
            logbook.record(.driving(event), in: &turn)
        }
        switch event {
        case .motion(let verdict): watchTow(.motion(verdict), logbook, in: &turn)
        case .fix(let fix): watchTow(.fix(fix), logbook, in: &turn)
        }
    }

    mutating func watchTow(_ event: TowRule.Event, _ logbook: Logbook, in turn: inout Turn) {
        guard turn.options.drivingEvents,
            let event = tow.handle(event, hasLine: turn.ignition != nil, driver: turn.driver, at: turn.now)
        else { return }
        pendingTow = event
    }

    mutating func takeTow() -> DrivingEvent? {
        defer { pendingTow = nil }
        return pendingTow
    }

    mutating func endOverspeed(_ logbook: Logbook, in turn: inout Turn) {
        guard let event = overspeed.end() else { return }
        logbook.record(.driving(event), in: &turn)
    }

    package struct Snapshot: Sendable, Hashable, Encodable {
        package var mounting = MountingEstimate()
        package var tow = TowRule.Memory.off(parked: nil)
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
