package import TrackingOptions

/// The options that apply to records after they are written: how trackerd uploads them, and how long the device stores them.
package struct QueueRules: Sendable, Hashable {
    /// The shortest time between the beginnings of two uploads; if zero, trackerd uploads each record at once.
    package let syncInterval: Duration
    /// Which records trackerd delivers later if it could not deliver them at once.
    package let replay: ReplayRule
    /// The age in days from which trackerd deletes records; 0 for no limit.
    package let maxDays: Int
    /// The highest number of records on the device; 0 for no limit.
    package let maxRecords: Int
    /// The highest size of the database in bytes; 0 for no limit.
    package let maxBytes: Int

    package init(_ options: TrackingOptions) {
        syncInterval = options.desiredSyncInterval
        replay = options.replay
        maxDays = options.maxDaysToPersist
        maxRecords = options.maxRecordsToPersist
        maxBytes = options.maxBytesToPersist
    }
}
