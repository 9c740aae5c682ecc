package import Quantities

/// A record as it lies in the queue: with the identity that makes a second delivery recognisable.
package struct StoredRecord: Sendable, Hashable, Codable {
    /// Position in the queue: grows by one with each record, is never used again.
    package let sequence: Int64
    /// UUID version 7 (RFC 9562) in lower case.
    package let uuid: String
    /// What the system clock said when the record was written.
    package let created: Timestamp
    /// What happened.
    package let record: Record

    /// Puts a record and its identity together.
    package init(sequence: Int64, uuid: String, created: Timestamp, record: Record) {
        self.sequence = sequence
        self.uuid = uuid
        self.created = created
        self.record = record
    }
}

/// The record queue as the upload uses it and the store implements it, without the one importing the other.
///
/// All calls come from one thread. A record *awaits* a target until it is marked as delivered, set aside or passed over for
/// that target. A withheld record awaits no target; a held-back record awaits none yet. If a call throws, the owner gets
/// the error's description and the upload tries again later.
package protocol DeliveryQueue {
    /// The newest record with a place, if it awaits the target; nil if it does not, even if older ones do.
    func newest(awaiting target: String) throws -> StoredRecord?

    /// The oldest records that await the target, in order of their sequence, without those in `excluding`.
    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord]

    /// Marks records as delivered to the target; doing so twice is harmless.
    func markDelivered(_ sequences: [Int64], to target: String) throws

    /// Sets a record aside for the target, with the reason, until the owner has it sent again.
    func setAside(_ sequence: Int64, for target: String, reason: String) throws

    /// Drops the records up to `sequence` that await the target, except stops if `keepingStops`; returns their number.
    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int

    /// The records that `newest` and `oldest` could not read and set aside since the last call.
    func takeUnreadable() -> [Int64]
}
