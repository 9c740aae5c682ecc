package import Store

package struct ControlQueue: Codable, Sendable, Hashable {
    package struct Record: Codable, Sendable, Hashable {
        package let sequence: Int64
        /// The time of the record; nil if the record is no longer on the device.
        package let time: String?
        /// The kind of the record; nil if the record is no longer on the device.
        package let kind: String?
        /// Why trackerd set the record aside; the text may quote the server.
        package let reason: String
    }

    package struct Target: Codable, Sendable, Hashable {
        package let name: String
        package let waiting: Int
        /// Whether the number of waiting records is higher than `waiting`.
        package let or_more: Bool
        package let set_aside: Int
        /// The number of waiting records of each kind, among the oldest 10000; without the records to send again.
        package let kinds: [String: Int]
        /// The time of the oldest waiting record, without the records to send again; nil if there is none.
        package let oldest: String?
        /// Why the server receives no records at present; nil if uploads work, or if no daemon is running.
        package let fault: String?
        /// The oldest set-aside records; the list may not contain all of them.
        package let records: [Record]
    }

    /// The numbers of records that trackerd has removed since it created the database, because of the limits or because
    /// the queue in memory was full.
    package struct Removed: Codable, Sendable, Hashable {
        /// The number of removed records that every target had received, or that no target had to receive.
        package let delivered: Int
        /// The number of undelivered locations whose removal changed the track by 10 m at most.
        package let thinned: Int
        /// The number of other undelivered locations that trackerd removed.
        package let locations: Int
        package let events: Int

        /// Copies the numbers; nil if trackerd has removed no record.
        package init?(_ loss: Retention.Loss) {
            guard loss != Retention.Loss() else { return nil }
            (delivered, thinned) = (loss.delivered, loss.thinned)
            (locations, events) = (loss.locations, loss.events)
        }
    }

    package let targets: [Target]
    /// The number of bytes of the database that are in use.
    package let bytes: Int
    /// The time of the oldest record on the device; nil if there is none.
    package let oldest: String?
    package let removed: Removed?
}

package struct ControlDrop: Codable, Sendable, Hashable {
    package let dropped: Int
    /// Whether no record remains to give up; otherwise the next request continues.
    package let is_complete: Bool

    package init(dropped: Int, is_complete: Bool) {
        (self.dropped, self.is_complete) = (dropped, is_complete)
    }
}
