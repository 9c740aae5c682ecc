import TrackingOptions
package import Motion
import Quantities

/// Watches how the vehicle is driven, and whether it is towed away, where `drivingEvents` asks for that.
package struct SafetyWatch: Sendable {
    private var driving: DrivingRule
    private var tow: TowRule

    init(restoring snapshot: Snapshot) {
        driving = DrivingRule(mounting: snapshot.mounting)
        tow = TowRule(restoring: snapshot.tow)
    }

    /// Takes a fix or a verdict of the accelerometer in, and records what it shows.
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

    /// Takes in what may show a tow, and records one.
    mutating func watchTow(
        _ event: TowRule.Event, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard context.options.drivingEvents, let event = tow.handle(event, at: context.now) else { return }
        logbook.record(.driving(event), context, into: &effects)
    }

    /// What survives a restart: how the accelerometer is mounted, and whether somebody might tow the vehicle away.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// How the accelerometer is mounted, as far as that is known.
        package var mounting = MountingEstimate()
        /// Whether somebody might tow the vehicle away.
        package var tow = TowRule.Memory.off(parked: nil)

        package enum CodingKeys: String, CodingKey { case mounting, tow }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(mounting: driving.mounting, tow: tow.memory) }
}

extension SafetyWatch.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.mounting, into: &mounting)
        fields.read(.tow, into: &tow)
    }
}
