import TrackingOptions
package import Motion
import Quantities

/// Detects harsh driving and towing if `drivingEvents` is on.
package struct SafetyWatch: Sendable {
    private var driving: DrivingRule
    private var tow: TowRule

    init(restoring snapshot: Snapshot) {
        driving = DrivingRule(mounting: snapshot.mounting)
        tow = TowRule(restoring: snapshot.tow)
    }

    /// Handles a fix or a verdict of the accelerometer, and records the driving events that this input completes.
    mutating func take(
        _ event: DrivingRule.Event, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard context.options.drivingEvents else { return }
        for event in driving.handle(event, at: context.now) {
            logbook.record(.driving(event), context, into: &effects)
        }
        switch event {
        case .motion(let verdict): watchTow(.motion(verdict), context, logbook, into: &effects)
        case .fix(let fix): watchTow(.fix(fix), context, logbook, into: &effects)
        }
    }

    /// Handles an input event of `TowRule`, and records a tow if the rule detects one.
    mutating func watchTow(
        _ event: TowRule.Event, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard context.options.drivingEvents, let event = tow.handle(event, at: context.now) else { return }
        logbook.record(.driving(event), context, into: &effects)
    }

    /// The state to keep over a restart: the mounting of the accelerometer, and the state of tow detection.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// The mounting of the accelerometer, as far as it is known.
        package var mounting = MountingEstimate()
        /// The state of tow detection.
        package var tow = TowRule.Memory.off(parked: nil)

        package enum CodingKeys: String, CodingKey { case mounting, tow }
    }

    /// The state to keep over a restart.
    var snapshot: Snapshot { Snapshot(mounting: driving.mounting, tow: tow.memory) }
}

extension SafetyWatch.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.mounting, into: &mounting)
        fields.read(.tow, into: &tow)
    }
}
