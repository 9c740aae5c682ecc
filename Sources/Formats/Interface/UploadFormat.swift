package import Quantities
package import Tracking

/// The format of a kind of server. It has no state: the same records always result in the same bytes.
package protocol UploadFormat: Sendable {
    var name: String { get }

    var transports: [TransportKind] { get }

    var recordsPerPayload: ClosedRange<Int> { get }

    /// True if the format has a message for the record; other records are not sent. A format with one record per
    /// payload may return `withheld` from `encode` instead.
    func carries(_ record: Record, over kind: TransportKind) -> Bool

    /// `isNewest` is true if the last record is the newest with a position.
    func encode(_ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind) -> EncodeResult

    func verdict(on reply: Reply) -> Verdict

    /// True if the server needs only the last state, and therefore no backlog.
    var isStateOnly: Bool { get }

    /// Describes the device to a broker's subscribers each time the connection opens.
    func introduction(for sender: Sender) -> [WirePayload]

    /// A message with which a subscriber requests the introduction again.
    var call: (topic: String, words: String)? { get }

    /// Nil for orders in clear text.
    var orderCipher: (any MessageCipher)? { get }

    /// The usual topic, which may contain {user}, {device} and {tid}; `topic` overrides it. Orders arrive at this topic
    /// with `/cmd` at the end.
    var usualTopic: String { get }

    /// Published over MQTT before the transport is closed.
    func farewell(for sender: Sender) -> WirePayload?

    /// The message that the broker publishes if this connection is lost.
    func will(for sender: Sender, connectedAt time: Timestamp) -> WirePayload?
}

extension UploadFormat {
    package var transports: [TransportKind] { [.http] }
    package func verdict(on reply: Reply) -> Verdict { reply.verdict }
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
    /// For answers with a success status, the owner's rule replaces that of the format. If an answer does not match it,
    /// the records count as refused, because the server may accept others. A web page is a temporary failure.
    package func verdict(on reply: Reply, by rule: AnswerRule?) -> Verdict {
        guard let rule, (200...299).contains(reply.status) else { return verdict(on: reply) }
        guard let fault = rule.fault(of: reply) else { return .delivered }
        return reply.isPage ? .retry(reason: fault, after: nil) : .refused(reason: "status \(reply.status): \(fault)")
    }
}

package protocol MessageCipher: Sendable {
    /// The same message always results in the same bytes; nil if encryption is not possible.
    func seal(_ message: [UInt8]) -> [UInt8]?

    /// Nil if the message was not encrypted with this cipher's key.
    func open(_ message: [UInt8]) -> [UInt8]?
}

/// What a format needs to know about its target.
package struct Sender: Sendable, Hashable {
    package let target: String
    package let user: String
    package let device: String
    /// One or two characters.
    package let trackerID: String
    package let topic: String
    /// The path of the target's address.
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
