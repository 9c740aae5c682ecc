import Quantities
import Tracking

/// The response to a request that changes something.
package struct ControlOutcome: Codable, Sendable, Hashable {
    /// What has happened, in one sentence.
    package let text: String
    /// Whether it would survive a power cut now.
    package let on_disk: Bool
    /// The records that resulted.
    package let records: [ControlRecord]
}

/// A record in short.
package struct ControlRecord: Codable, Sendable, Hashable {
    package let sequence: Int64
    package let uuid: String
    package let kind: String
    package let time: String
    package let location: Status.Location?

    /// Takes it from a record.
    init(_ stored: StoredRecord) {
        sequence = stored.sequence
        uuid = stored.uuid
        kind = stored.record.kind.rawValue
        time = stored.record.time.description
        location = stored.record.position.map(Status.Location.init)
    }
}
