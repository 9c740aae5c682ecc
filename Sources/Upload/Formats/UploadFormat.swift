package import Quantities
package import Tracking

/// A way to write records down for a server, and to read its answer.
///
/// A format is a value without state: the same records make the same bytes whenever they are sent again.
package protocol UploadFormat: Sendable {
    /// The name in the configuration.
    var name: String { get }

    /// What it can be sent over.
    var transports: [TransportKind] { get }

    /// How many records fit into one parcel.
    var recordsPerParcel: ClosedRange<Int> { get }

    /// Writes records down; `isNewest` tells that no newer record exists for the target.
    func pack(_ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind) -> Packing

    /// Judges an answer over HTTP.
    func verdict(on reply: Reply) -> Verdict

    /// The message that an MQTT broker publishes when the connection that begins now breaks.
    func will(for target: UploadTarget, connectedAt time: Timestamp) -> Parcel?
}
