package import Tracking

/// The record queue for uploads, which the store implements, so that store and uploader need not import each other. All
/// calls come from one thread. A record *awaits* a target until it is marked as delivered, set aside or passed over for
/// it. A withheld record awaits no target, and a held record does not await one yet. If a call throws, the owner
/// receives the error's description, and the uploader retries later.
package protocol DeliveryQueue {
    /// The newest record with a position and a number below `sequence`; nil if it does not await the target, even if
    /// older ones do.
    func newest(awaiting target: String, before sequence: Int64) throws -> StoredRecord?

    /// The records are ordered by sequence, and do not include those in `excluding`.
    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord]

    /// Harmless if repeated.
    func markDelivered(_ sequences: [Int64], to target: String) throws

    /// The target receives the record only if the owner has it sent again.
    func setAside(_ sequence: Int64, for target: String, reason: String) throws

    /// Returns the number passed over; with `keepingStops` the stops remain.
    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int

    /// Returns the records that `newest` and `oldest` could not read and have set aside since the last call.
    func takeUnreadable() -> [Int64]

    /// Stores the order durably, because it is carried out only once.
    func accept(_ order: StoredOrder) throws -> OrderAcceptance

    /// Returns bytes; `month` has the form `2026-11`.
    func traffic(of target: String, in month: String) throws -> Int64

    func addTraffic(_ bytes: Int64, of target: String, in month: String) throws
}
