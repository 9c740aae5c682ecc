package import Tracking

/// The record queue for uploads.
///
/// The store implements this protocol, so store and uploader need not import each other. All calls come from one thread. A
/// record *awaits* a target until it is marked as delivered, set aside or passed over for that target. A withheld record awaits
/// no target; a held-back record does not await a target yet. If a call throws, the owner receives the error's description, and
/// the uploader retries later.
package protocol DeliveryQueue {
    /// Returns the newest record before `sequence` that has a position, if that record awaits the target.
    ///
    /// Otherwise returns nil, even if older records await the target.
    func newest(awaiting target: String, before sequence: Int64) throws -> StoredRecord?

    /// Returns the oldest records that await the target, ordered by sequence, without those in `excluding`.
    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord]

    /// Marks records as delivered to the target; a second call for the same records is harmless.
    func markDelivered(_ sequences: [Int64], to target: String) throws

    /// Sets a record aside for the target, with the reason, until the owner requests another upload.
    func setAside(_ sequence: Int64, for target: String, reason: String) throws

    /// Drops the records up to `sequence` that await the target; returns the number of dropped records.
    ///
    /// If `keepingStops` is true, the stops remain.
    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int

    /// Returns the numbers of the unreadable records that `newest` and `oldest` have set aside since the last call.
    func takeUnreadable() -> [Int64]

    /// Stores an order of a target's server durably, because the tracker must carry the order out only once.
    func accept(_ order: StoredOrder) throws -> OrderAcceptance

    /// Returns the number of bytes that the target has caused on the network in a month, such as `2026-11`.
    func traffic(of target: String, in month: String) throws -> Int64

    /// Adds to the number of bytes that the target has caused in a month.
    func addTraffic(_ bytes: Int64, of target: String, in month: String) throws
}
