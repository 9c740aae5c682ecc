package import Quantities
package import Tracking

/// For a kind of server. A value without state: the same records are always the same bytes.
package protocol UploadFormat: Sendable {
    var name: String { get }

    var transports: [TransportKind] { get }

    var recordsPerPayload: ClosedRange<Int> { get }

    /// Others are not sent. A format of one record a payload may return `withheld` instead.
    func carries(_ record: Record, over kind: TransportKind) -> Bool

    /// `isNewest` if the last record is the newest with a position.
    func encode(_ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind) -> EncodeResult

    func verdict(on reply: Reply) -> Verdict

    /// And therefore needs no backlog.
    var isStateOnly: Bool { get }

    /// Describes the device to a broker's subscribers after each connection.
    func introduction(for sender: Sender) -> [WirePayload]

    /// Requests the introduction again.
    var call: (topic: String, words: String)? { get }

    /// Nil for orders in clear text.
    var orderCipher: (any MessageCipher)? { get }

    /// With {user}, {device} and {tid}; `topic` overrides it. Orders arrive there, with `/cmd` at the end.
    var usualTopic: String { get }

    /// Over MQTT, at the end of the program.
    func farewell(for sender: Sender) -> WirePayload?

    /// Published by the broker if this connection is lost.
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
    /// For answers with a success status, the owner's rule replaces that of the format. An answer that does not follow it
    /// refuses the records, because the server may accept others; a web page is a temporary failure.
    package func verdict(on reply: Reply, by rule: AnswerRule?) -> Verdict {
        guard let rule, (200...299).contains(reply.status) else { return verdict(on: reply) }
        guard let fault = rule.fault(of: reply) else { return .delivered }
        return reply.isPage ? .retry(reason: fault, after: nil) : .refused(reason: "status \(reply.status): \(fault)")
    }
}

package protocol MessageCipher: Sendable {
    /// The same message is always the same bytes; nil if it is not possible.
    func seal(_ message: [UInt8]) -> [UInt8]?

    /// Nil without this cipher's key.
    func open(_ message: [UInt8]) -> [UInt8]?
}

/// The names that messages contain.
package struct Sender: Sendable, Hashable {
    package let target: String
    package let user: String
    package let device: String
    /// One or two characters.
    package let trackerID: String
    package let topic: String
    /// Of the target's address.
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
