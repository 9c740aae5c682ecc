package import Quantities
package import Tracking

/// Encodes records for a kind of server, and interprets its answers.
///
/// A format is a value without state: the same records always result in the same bytes.
package protocol UploadFormat: Sendable {
    var name: String { get }

    var transports: [TransportKind] { get }

    var recordsPerPayload: ClosedRange<Int> { get }

    /// Returns whether a batch may contain the record; trackerd does not send other records to the target.
    ///
    /// A format with one record per payload may return `withheld` from `encode` instead.
    func carries(_ record: Record, over kind: TransportKind) -> Bool

    /// Encodes records that the format carries; `isNewest` is true if the last record is the newest with
    /// a position.
    func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult

    func verdict(on reply: Reply) -> Verdict

    /// Whether the server stores only the last state, and therefore needs no backlog.
    var isStateOnly: Bool { get }

    /// Returns the messages that describe the device to the subscribers of an MQTT broker; the transport publishes the messages
    /// after each connection.
    func introduction(for sender: Sender) -> [WirePayload]

    /// The topic and the text of a message that requests the introduction again; nil if there is no such message.
    var call: (topic: String, words: String)? { get }

    /// The cipher with which the server must encrypt its orders; nil for orders in clear text.
    var orderCipher: (any MessageCipher)? { get }

    /// The usual topic of records, with the placeholders {user}, {device} and {tid}; the option `topic` overrides it.
    ///
    /// Orders arrive on the topic of records with `/cmd` at its end.
    var usualTopic: String { get }

    /// Returns the message with which the tracker announces over MQTT that the program ends; nil if there is none.
    func farewell(for sender: Sender) -> WirePayload?

    /// Returns the message that an MQTT broker publishes if the connection that begins now is lost; nil if there is none.
    func will(for sender: Sender, connectedAt time: Timestamp) -> WirePayload?
}

extension UploadFormat {
    package func carries(_ record: Record, over kind: TransportKind) -> Bool { true }
    package func will(for sender: Sender, connectedAt time: Timestamp) -> WirePayload? { nil }
    package var isStateOnly: Bool { false }
    package func introduction(for sender: Sender) -> [WirePayload] { [] }
    package var call: (topic: String, words: String)? { nil }
    package var usualTopic: String { "trackerd/{user}/{device}" }
    package var orderCipher: (any MessageCipher)? { nil }
    package func farewell(for sender: Sender) -> WirePayload? { nil }
}

extension UploadFormat {
    /// Returns the meaning of an HTTP answer; the owner's rule replaces the rule of the format for answers with a success status.
    ///
    /// trackerd treats an answer that does not follow the owner's rule as a refusal of the records, because the server may
    /// accept other records. It treats a web page that does not follow the rule as a temporary failure.
    package func verdict(on reply: Reply, by rule: AnswerRule?) -> Verdict {
        guard let rule, (200...299).contains(reply.status) else { return verdict(on: reply) }
        guard let fault = rule.fault(of: reply) else { return .delivered }
        return reply.isPage ? .retry(reason: fault, after: nil) : .refused(reason: "status \(reply.status): \(fault)")
    }
}

package protocol MessageCipher: Sendable {
    /// Returns the encrypted message; nil if that is not possible. The same message always results in the same bytes.
    func seal(_ message: [UInt8]) -> [UInt8]?

    /// Returns the message in clear text; nil if it was not encrypted with this cipher's key.
    func open(_ message: [UInt8]) -> [UInt8]?
}

/// A target as a format sees it: the names that its messages contain.
package struct Sender: Sendable, Hashable {
    package let target: String
    package let user: String
    package let device: String
    /// OwnTracks' short name of the device, one or two characters.
    package let trackerID: String
    package let topic: String
    /// Path and query of the target's address.
    package let path: String
    package let acceptsOrders: Bool

    package init(
        target: String, user: String, device: String, trackerID: String, topic: String, path: String,
        acceptsOrders: Bool
    ) {
        (self.target, self.user, self.device, self.trackerID) = (target, user, device, trackerID)
        (self.topic, self.path, self.acceptsOrders) = (topic, path, acceptsOrders)
    }
}
