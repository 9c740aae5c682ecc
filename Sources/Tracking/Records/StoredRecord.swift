package import Quantities

/// A record in the queue, with an identity that lets the server recognise a second delivery.
package struct StoredRecord: Sendable, Hashable, Codable {
    /// Number of the record in the queue; it increases by one with each record, and no number is used again.
    package let sequence: Int64
    /// UUID version 7 (RFC 9562) in lower case.
    package let uuid: String
    /// The program's estimate of UTC when the record was written; the store may correct it later.
    package let created: Timestamp
    package let record: Record

    package init(sequence: Int64, uuid: String, created: Timestamp, record: Record) {
        self.sequence = sequence
        self.uuid = uuid
        self.created = created
        self.record = record
    }
}
