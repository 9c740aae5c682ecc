package import Quantities
package import Tracking

/// Encodes records for a kind of server, and interprets its answers.
///
/// A format is a value without state: the same records always result in the same bytes.
package protocol UploadFormat: Sendable {
    var name: String { get }

    /// The transports that can carry the format.
    var transports: [TransportKind] { get }

    /// The allowed number of records in one payload.
    var recordsPerPayload: ClosedRange<Int> { get }

    /// Returns whether a batch may contain the record; trackerd does not send other records to the target.
    ///
    /// A format with one record per payload may return `withheld` from `encode` instead.
    func carries(_ record: Record, over kind: TransportKind) -> Bool

    /// Encodes records that the format carries; `isNewest` is true if the last record is the newest with
    /// a position.
    func encode(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> EncodeResult

    /// Returns the meaning of an HTTP answer.
    func verdict(on reply: Reply) -> Verdict

    /// Whether the server stores only the last state, and therefore needs no backlog.
    var isStateOnly: Bool { get }

    /// Returns the messages that describe the device to the subscribers of an MQTT broker; the transport publishes the messages
    /// after each connection.
    func introduction(for target: UploadTarget) -> [WirePayload]

    /// The topic and the text of a message that requests the introduction again; nil if there is no such message.
    var call: (topic: String, words: String)? { get }

    /// The key with which the server must encrypt its orders; nil for orders in clear text.
    var orderKey: OwnTracksKey? { get }

    /// The usual topic of records, with the placeholders of `MQTTOptions`; the option `topic` overrides it.
    ///
    /// Orders arrive on the topic of records with `/cmd` at its end.
    var usualTopic: String { get }

    /// Returns the message with which the tracker announces over MQTT that the program ends; nil if there is none.
    func farewell(for target: UploadTarget) -> WirePayload?

    /// Returns the message that an MQTT broker publishes if the connection that begins now is lost; nil if there is none.
    func will(for target: UploadTarget, connectedAt time: Timestamp) -> WirePayload?
}

extension UploadFormat {
    package func carries(_ record: Record, over kind: TransportKind) -> Bool { true }

    /// Returns nil, as most formats do.
    package func will(for target: UploadTarget, connectedAt time: Timestamp) -> WirePayload? { nil }

    /// False, as for most formats.
    package var isStateOnly: Bool { false }

    /// Returns no messages, as most formats do.
    package func introduction(for target: UploadTarget) -> [WirePayload] { [] }

    /// Nil, as for most formats.
    package var call: (topic: String, words: String)? { nil }

    /// The topic of formats that define no topic.
    package var usualTopic: String { "trackerd/{user}/{device}" }

    /// Nil, as for most formats.
    package var orderKey: OwnTracksKey? { nil }

    /// Returns nil, as most formats do.
    package func farewell(for target: UploadTarget) -> WirePayload? { nil }
}

/// All formats; to add a format, add a file to this folder and a row to `all`.
package enum FormatCatalogue {
    /// The rows of the catalogue.
    package static let all: [any UploadFormat] = [
        OwnTracks(),
        GeoJSON(),
        Traccar(),
        Overland(),
        Transistor(),
        Template(),
        HomeAssistant(),
    ]

    /// Returns the format with this name; nil if there is none.
    package static func format(named name: String) -> (any UploadFormat)? {
        all.first { $0.name == name }
    }
}

package enum EncodeResult: Sendable, Hashable {
    /// The bytes to send.
    case payload(WirePayload)
    /// The format cannot express these records, so the target does not receive them.
    case withheld
    /// The format can express records of this kind, but cannot encode these records.
    case impossible(reason: String)
}

/// The bytes of one HTTP request or one MQTT message, and the values that the transport needs to send them.
package struct WirePayload: Sendable, Hashable {
    /// A header line of an HTTP request.
    package struct Header: Sendable, Hashable {
        /// The name, such as `X-Limit-U`.
        package let name: String
        /// The value, without control characters.
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method of an HTTP request.
    package enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
    }

    /// The method, for HTTP; a GET has no body.
    package let method: Method
    /// Path and query for HTTP, in place of those of the target's address; nil if the payload uses the target's address.
    package let path: String?
    /// The body of the request or of the message.
    package let body: [UInt8]
    /// The media type, for HTTP.
    package let contentType: String
    /// Additional header lines, for HTTP.
    package let headers: [Header]
    package let topic: String
    /// Whether the broker retains the message for later subscribers, for MQTT.
    package let retain: Bool
    /// Messages that belong to the same records; the transport sends them before this message.
    package var companions: [WirePayload] = []

    package init(
        body: [UInt8], contentType: String, method: Method = .post, path: String? = nil, headers: [Header] = [],
        topic: String = "", retain: Bool = false
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.contentType = contentType
        self.headers = headers
        self.topic = topic
        self.retain = retain
    }
}

extension Double {
    /// The nearest integer; nil if the number is not finite or out of range.
    var wholeNumber: Int? { Int(exactly: rounded()) }
}
