import Compatibility
import Quantities
import Tracking
import TrackingOptions
import Upload

/// What the servers of the targets may order, and the limits that no order may exceed.
package struct RemoteControl: Sendable {
    /// The environment whose options of a server apply.
    let environment: RemoteOptions.Environment
    /// The permissions of each target.
    let permissions: [String: Set<RemotePermission>]

    /// Permits nothing.
    package init() { (environment, permissions) = (.live, [:]) }

    /// Permits what a configuration permits.
    package init(_ configuration: Configuration) {
        environment = configuration.environment
        permissions = Dictionary(configuration.targets.map { ($0.name, $0.control) }) { first, _ in first }
    }

    /// Returns whether a target's server has a permission.
    func permits(_ permission: RemotePermission, to target: String) -> Bool {
        permissions[target]?.contains(permission) == true
    }

    /// The modes in which the tracker reports by itself; a server needs `silence` for the others.
    static let reportingModes: Set<MonitoringMode> = [.significant, .move]

    /// The longest interval, and the longest distance, between records or uploads that a server may set without `silence`.
    static let longestInterval = Duration.seconds(3600)
    static let longestDistance = Metres(10_000)
    /// The smallest limit of the accuracy that a server may set without `silence`; a smaller limit refuses too many fixes.
    static let smallestAccuracy = Metres(50)

    /// Returns the option that a change would set although no server may set it; nil if there is none.
    static func forbiddenKey(from before: TrackingOptions, to after: TrackingOptions) -> String? {
        if after.maxDaysToPersist != before.maxDaysToPersist { return "maxDaysToPersist" }
        if after.maxRecordsToPersist != before.maxRecordsToPersist { return "maxRecordsToPersist" }
        return after.maxBytesToPersist != before.maxBytesToPersist ? "maxBytesToPersist" : nil
    }

    /// Returns the option with which a change would silence the tracker; nil if there is none.
    static func silencingKey(from before: TrackingOptions, to after: TrackingOptions) -> String? {
        let isSilenced: [(String, Bool)] = [
            ("monitoring", !reportingModes.contains(after.monitoring) && after.monitoring != before.monitoring),
            ("sync", after.sync == .none && before.sync != .none),
            ("replay", after.replay != before.replay && after.replay != .all),
            ("trackingSchedule", after.trackingSchedule != before.trackingSchedule),
            ("startTime", after.startTime != before.startTime), ("endTime", after.endTime != before.endTime),
            ("startTrackingAfter", after.startTrackingAfter != before.startTrackingAfter),
            ("stopTrackingAfter", after.stopTrackingAfter != before.stopTrackingAfter),
            ("accuracyLimit", after.accuracyLimit < min(smallestAccuracy, before.accuracyLimit)),
            ("distanceFilter", after.distanceFilter > max(longestDistance, before.distanceFilter)),
            ("desiredSyncInterval", after.desiredSyncInterval > max(longestInterval, before.desiredSyncInterval)),
            (
                "desiredMovingUpdateInterval",
                after.desiredMovingUpdateInterval > max(longestInterval, before.desiredMovingUpdateInterval)
            ),
            (
                "fastestMovingUpdateInterval",
                after.fastestMovingUpdateInterval > max(longestInterval, before.fastestMovingUpdateInterval)
            ),
        ]
        return isSilenced.first { $0.1 }?.0
    }
}
