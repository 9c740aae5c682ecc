import Quantities
import Tracking
import TrackingOptions

/// What an order has led to, in words.
extension ControlRequest {
    /// One sentence on what came of it, or why nothing did.
    func outcome(from before: Engine, to after: Engine, _ records: [StoredRecord]) throws(ControlRefusal) -> String {
        switch self {
        case .status, .locate, .showTracking, .regions, .waypoints, .odometer, .queue, .retryQueue: return ""
        case .move:
            if let suspension = after.suspension { throw suspension.refusal }
            return before.state.isMoving ? "It was moving already." : "Moving."
        case .stay: return before.state.isMoving ? "Stationary." : "It was stationary already."
        case .mode(let mode): return Self.told(mode, after)
        case .startTracking(let layer):
            let options = layer == nil ? "as the configuration says" : "with options of its own"
            return after.suspension == nil
                ? "Tracking, \(options)." : "Tracking, \(options), as soon as the schedule allows it."
        case .stopTracking: return "Tracking is off until `trackerd tracking start`."
        case .startTrip:
            let isNew = records.contains { $0.record.kind == .trip }
            let number = after.state.trips.number.map(String.init) ?? ""
            return "Trip \(number) \(isNew ? "has started" : "goes on already")."
        case .endTrip: return try Self.told(records)
        case .setWaypoint(let order): return "`\(order.name)` is set\(Self.watching(order.name, after))."
        case .removeWaypoint(let name): return "`\(name)` is removed."
        case .clearWaypoints: return "No waypoint is left."
        case .setOdometer(let distance): return "The odometer shows \(distance.kilometres)."
        case .tag(let tag): return tag.map { "Records are tagged `\($0)`." } ?? "Records are not tagged."
        }
    }

    private static func told(_ mode: MonitoringMode, _ engine: Engine) -> String {
        let item = engine.resolvedOptions.item("monitoring")
        guard engine.mode != mode, let item else { return "The mode is \(mode.name)." }
        return "The mode is noted, but `monitoring: \(engine.mode.name)` (\(item.origin.title)) goes over it."
    }

    private static func told(_ records: [StoredRecord]) throws(ControlRefusal) -> String {
        for case .trip(let report) in records.map(\.record.content) {
            guard let number = report.number, let summary = report.summary else { continue }
            let span = Int((summary.ended - summary.started).inSeconds.rounded())
            return "Trip \(number) has ended: \(summary.distance.kilometres) in \(span) s."
        }
        throw ControlRefusal("no trip was started by hand. One that began by itself ends when the vehicle stops.")
    }

    private static func watching(_ name: String, _ engine: Engine) -> String {
        let waypoint = engine.state.waypoints.first { $0.text == name }
        switch try? waypoint?.watching() {
        case .region: return " and watched"
        case .follow: return " as a circle that moves along"
        case .nothing, nil: return "; it is not watched, because it has no radius"
        }
    }
}

extension Engine.Suspension {
    fileprivate var refusal: ControlRefusal {
        switch self {
        case .switchedOff:
            ControlRefusal("tracking is switched off. `trackerd tracking start` switches it on.")
        case .schedule:
            ControlRefusal(
                "the schedule does not allow tracking now. Change it, or set `trackOutsideSchedule` in the configuration."
            )
        }
    }
}

extension Metres {
    /// Kilometres to ten metres, with their unit.
    fileprivate var kilometres: String { "\((value / 10).rounded() / 100) km" }
}
