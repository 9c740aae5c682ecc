package import Quantities
package import Tracking

/// Records that go to a target together.
package struct Shipment: Sendable, Hashable {
    /// Why it goes now.
    package enum Lane: Sendable, Hashable {
        /// It is the newest record.
        case live
        /// It is its turn.
        case backlog
    }

    /// A number of its own.
    package let id: Int
    /// Why it goes now.
    package let lane: Lane
    /// At least one, in order of their sequence.
    package let records: [StoredRecord]
    /// Whether the last of them is the newest record of all.
    package let isNewest: Bool
    /// When it was sent.
    package let sent: Instant

    /// The places of its records in the queue.
    package var sequences: [Int64] { records.map(\.sequence) }
}
