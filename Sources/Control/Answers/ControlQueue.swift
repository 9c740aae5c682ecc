package import Store

package struct ControlQueue: Codable, Sendable, Hashable {
    package struct Record: Codable, Sendable, Hashable {
        package let sequence: Int64
        /// Nil if the record is no longer on the device.
        package let time: String?
        /// Nil if the record is no longer on the device.
        package let kind: String?
        /// May quote the server.
        package let reason: String
    }

    package struct Target: Codable, Sendable, Hashable {
        package let name: String
        package let waiting: Int
        /// True if more records wait than `waiting` states.
        package let or_more: Bool
        package let set_aside: Int
        /// How many records of each kind wait, among the oldest 10000; records to send again do not count.
        package let kinds: [String: Int]
        /// When the oldest waiting record was made; records to send again do not count.
        package let oldest: String?
        /// Why uploads fail or wait; nil if they work, or if no daemon is running.
        package let fault: String?
        /// The oldest set-aside records; the list may be cut.
        package let records: [Record]
    }

    /// The records that were removed since the database was created, because of the limits or a full queue in
    /// memory.
    package struct Removed: Codable, Sendable, Hashable {
        /// Records that every target had received, or that none needed.
        package let delivered: Int
        /// Undelivered locations whose removal changed the track by 10 m at most.
        package let thinned: Int
        /// Other undelivered locations.
        package let locations: Int
        package let events: Int

        /// Nil if none was removed.
        package init?(_ loss: Retention.Loss) {
            guard loss != Retention.Loss() else { return nil }
            (delivered, thinned) = (loss.delivered, loss.thinned)
            (locations, events) = (loss.locations, loss.events)
        }
    }

    package let targets: [Target]
    /// The part of the database that is in use.
    package let bytes: Int
    package let oldest: String?
    package let removed: Removed?
}

package struct ControlDrop: Codable, Sendable, Hashable {
    package let dropped: Int
    /// False if waiting records may be left; then the next request continues.
    package let is_complete: Bool

    package init(dropped: Int, is_complete: Bool) {
        (self.dropped, self.is_complete) = (dropped, is_complete)
    }
}
