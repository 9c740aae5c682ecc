package import TrackingOptions

/// The options that apply to records after they are written: how trackerd uploads them, and how long the device stores them.
package struct QueueRules: Sendable, Hashable {
    /// Between the beginnings of two uploads; zero uploads each record at once.
    package let syncInterval: Duration
    /// Which records trackerd delivers later if it could not deliver them at once.
    package let replay: ReplayRule
    /// Older records are deleted; 0 for no limit.
    package let maxDays: Int
    /// On the device; 0 for no limit.
    package let maxRecords: Int
    /// Of the database; 0 for no limit.
    package let maxBytes: Int

    package init(_ options: TrackingOptions) {
        syncInterval = options.desiredSyncInterval
        replay = options.replay
        maxDays = options.maxDaysToPersist
        maxRecords = options.maxRecordsToPersist
        maxBytes = options.maxBytesToPersist
    }
}
