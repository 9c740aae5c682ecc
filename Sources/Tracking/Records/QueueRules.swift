package import TrackingOptions

/// The options that apply to records after they are written: how trackerd uploads them, and how long the device stores them.
package struct QueueRules: Sendable, Hashable {
    /// The time between the beginnings of two uploads; zero uploads each record at once.
    package let syncInterval: Duration
    /// Which records trackerd delivers later if it could not deliver them at once.
    package let replay: ReplayRule
    /// Older records are deleted; 0 for no limit.
    package let maxDays: Int
    /// The most records on the device; 0 for no limit.
    package let maxRecords: Int
    /// The largest size of the database; 0 for no limit.
    package let maxBytes: Int

    package init(_ options: TrackingOptions) {
        syncInterval = options.desiredSyncInterval
        replay = options.replay
        maxDays = options.maxDaysToPersist
        maxRecords = options.maxRecordsToPersist
        maxBytes = options.maxBytesToPersist
    }
}

extension MonitoringMode {
    /// OwnTracks' documentation allows only manual reports in quiet mode, and manual reports and region events in
    /// manual mode. A waypoint is published in each mode when its owner sets it.
    func withholds(_ record: Record) -> Bool {
        switch record.content {
        case .request, .waypoint, .order: return false
        case .transition: return !recordsRegions
        // A location with a trigger belongs to a region, so the same rule applies.
        case .location: return !(recordsUnasked || recordsRegions && record.trigger != nil)
        case .motionchange, .visit, .trip, .ping, .providerchange, .power, .health, .optionschange, .driving:
            return !recordsUnasked
        }
    }
}

extension SyncRule {
    /// Answers to requests and orders are never withheld, because the sender waits for them.
    package func withholds(_ record: Record) -> Bool {
        if record.kind.traits.contains(.answer) { return false }
        return switch self {
        case .all: false
        case .none: true
        case .stopsAndExits: !record.isStop && !record.isExit
        }
    }
}
