import Store
import Tracking
import Upload

/// A delivery table whose records carry the UUIDs that the contract expects: the queue makes its own.
struct SameIdentity: DeliveryQueue {
    let table: DeliveryTable
    let uuids: [String]

    func newest(awaiting target: String) throws -> StoredRecord? { try table.newest(awaiting: target).map(renamed) }

    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord] {
        try table.oldest(awaiting: target, limit: limit, excluding: excluding).map(renamed)
    }

    func markDelivered(_ sequences: [Int64], to target: String) throws {
        try table.markDelivered(sequences, to: target)
    }

    func setAside(_ sequence: Int64, for target: String, reason: String) throws {
        try table.setAside(sequence, for: target, reason: reason)
    }

    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int {
        try table.passOver(through: sequence, keepingStops: keepingStops, for: target)
    }

    func takeUnreadable() -> [Int64] { table.takeUnreadable() }

    private func renamed(_ stored: StoredRecord) -> StoredRecord {
        StoredRecord(
            sequence: stored.sequence, uuid: uuids[Int(stored.sequence) - 1], created: stored.created,
            record: stored.record)
    }
}
