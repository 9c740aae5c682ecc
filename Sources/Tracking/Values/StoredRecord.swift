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
