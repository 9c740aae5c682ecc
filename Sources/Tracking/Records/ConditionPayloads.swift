package import Quantities

package struct StartReport: Sendable, Hashable, Codable {
    package var version: String?
    package var board: String?
    /// Number of boots of the computer during which the program has run, counted from 1.
    package var boots: Int

    package init(version: String?, board: String?, boots: Int) {
        self.version = version
        self.board = board
        self.boots = boots
    }
}

package struct HealthReport: Sendable, Hashable, Codable {
    package var change: HealthChange
    /// The cause in words; nil if `change` describes the event completely.
    package var reason: String?
    /// The records that servers have received with a wrong time; nil for any change other than `sentTimesWrong`.
    package var correction: SentTimes?

    package init(_ change: HealthChange, reason: String? = nil, correction: SentTimes? = nil) {
        self.change = change
        self.reason = reason
        self.correction = correction
    }
}

/// trackerd cannot change records that it has sent. To correct them, a server adds `shift` to the `created` of each
/// wrong record, and to its `time` unless that time is trusted.
package struct SentTimes: Sendable, Hashable, Codable {
    package var first: Int64
    package var last: Int64
    /// The number of records with a wrong time; the other records between `first` and `last` have the right time.
    package var count: Int
    /// The wrong UTC time of the boot, by the clock that dated the last record; `to` is the right one.
    package var from: Timestamp
    package var to: Timestamp

    package var shift: Duration { to - from }

    package init(first: Int64, last: Int64, count: Int, from: Timestamp, to: Timestamp) {
        (self.first, self.last, self.count, self.from, self.to) = (first, last, count, from, to)
    }
}

package enum HealthChange: String, Sendable, Hashable, Codable, CaseIterable {
    /// The accelerometer does not answer, or answers again.
    case accelerometerLost, accelerometerBack
    /// At least 20 transfers to the accelerometer have failed within ten minutes, or none has failed for an hour.
    case busErrors, busBack
    /// The disk does not accept records, so they remain in memory; or the disk works again.
    case storageFailing, storageBack
    /// The database was damaged; recording continues in a new file.
    case databaseSetAside
    /// Another file has replaced the database, so records that were only in the former file are not sent.
    case databaseExchanged
    /// Not all records of a damaged database could be copied.
    case recordsMissing
    /// The store removed records before every target had received them, because the queue on disk or in memory was full.
    case recordsRemoved
    /// The clock is not set 15 minutes after the start, or was set later.
    case clockNotSet, clockSet
    /// The clock was set, and servers have already received records with the wrong time.
    case sentTimesWrong
    /// trackerd did not halt the board, because the wake-up of the board is not ready or the system refused the halt.
    case haltRefused
    /// In a private period, trackerd records no position.
    case privacyBegan, privacyEnded
    /// trackerd started without uploads and beacons, because it had crashed repeatedly.
    case safeMode
}
