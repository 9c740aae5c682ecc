package import Quantities

/// A record in the queue, with an identity by which the server recognises a second delivery.
package struct StoredRecord: Sendable, Hashable, Codable {
    /// Position in the queue; it grows by one with each record and is never used again.
    package let sequence: Int64
    /// UUID version 7 (RFC 9562) in lower case.
    package let uuid: String
    /// System time at which the record was written.
    package let created: Timestamp
    /// The record itself.
    package let record: Record

    /// Combines a record and its identity.
    package init(sequence: Int64, uuid: String, created: Timestamp, record: Record) {
        self.sequence = sequence
        self.uuid = uuid
        self.created = created
        self.record = record
    }
}

/// The record queue as uploading uses it; the store implements it, and neither imports the other.
///
/// All calls come from one thread. A record *awaits* a target until it is marked as delivered, set aside or passed over
/// for that target. A withheld record awaits no target; a held-back record awaits none yet. If a call throws, the owner
/// gets the error's description and the upload is tried again later.
package protocol DeliveryQueue {
    /// The newest record with a position if it awaits the target; nil if it does not, even if older ones do.
    func newest(awaiting target: String) throws -> StoredRecord?

    /// The oldest records that await the target, ordered by sequence, without those in `excluding`.
    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord]

    /// Marks records as delivered to the target; calling it twice is harmless.
    func markDelivered(_ sequences: [Int64], to target: String) throws

    /// Sets a record aside for the target, with the reason, until the owner requests that it is sent again.
    func setAside(_ sequence: Int64, for target: String, reason: String) throws

    /// Drops the records up to `sequence` that await the target, except stops if `keepingStops`; returns their number.
    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int

    /// The records that `newest` and `oldest` could not read, and have set aside, since the last call.
    func takeUnreadable() -> [Int64]
}
