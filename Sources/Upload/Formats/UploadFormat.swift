internal import FoundationEssentials
package import Quantities
package import Tracking

/// Encodes records for a kind of server, and interprets its answers.
///
/// A format is a value without state: the same records give the same bytes whenever they are sent again.
package protocol UploadFormat: Sendable {
    /// The name in the configuration.
    var name: String { get }

    /// The transports that can carry it.
    var transports: [TransportKind] { get }

    /// The number of records that one payload can hold.
    var recordsPerPayload: ClosedRange<Int> { get }

    /// Encodes records; `isNewest` if the target awaits no newer record.
    func encode(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> EncodeResult

    /// The meaning of an HTTP answer.
    func verdict(on reply: Reply) -> Verdict

    /// The message that an MQTT broker publishes if the connection that begins now is lost; nil for none.
    func will(for target: UploadTarget, connectedAt time: Timestamp) -> WirePayload?
}

/// All formats; a new one is a file next to this one and a row here.
package enum FormatCatalogue {
    /// The rows.
    package static let all: [any UploadFormat] = [
        OwnTracks(),
        GeoJSON(),
    ]

    /// The format with this name.
    package static func format(named name: String) -> (any UploadFormat)? {
        all.first { $0.name == name }
    }
}

/// What a format makes of records.
package enum EncodeResult: Sendable, Hashable {
    /// The bytes to send.
    case payload(WirePayload)
    /// The format has no form for these records; the target does not get them.
    case withheld
    /// The records cannot be encoded, though the format has a form for them.
    case impossible(reason: String)
}

/// The bytes of one HTTP request or one MQTT message, with what the transport needs to send them.
package struct WirePayload: Sendable, Hashable {
    /// A header line of an HTTP request.
    package struct Header: Sendable, Hashable {
        /// Such as `X-Limit-U`.
        package let name: String
        /// Free of control characters.
        package let value: String

        /// Makes a line.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The body of the request or of the message.
    package let body: [UInt8]
    /// The media type, for HTTP.
    package let contentType: String
    /// More header lines, for HTTP.
    package let headers: [Header]
    /// The topic, for MQTT.
    package let topic: String
    /// Whether the broker keeps the message for later subscribers, for MQTT.
    package let retain: Bool

    /// Makes a payload.
    package init(body: [UInt8], contentType: String, headers: [Header] = [], topic: String = "", retain: Bool = false) {
        self.body = body
        self.contentType = contentType
        self.headers = headers
        self.topic = topic
        self.retain = retain
    }
}

/// JSON in one form only: keys sorted, slashes not escaped, no white space.
enum JSONBytes {
    /// Encodes a value; nil if one of its numbers is not finite.
    static func encode(_ value: some Encodable) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { [UInt8]($0) }
    }
}

extension Double {
    /// The number rounded to `decimals` digits after the point.
    func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }

    /// The nearest integer; nil if the number is not finite or out of range.
    var wholeNumber: Int? { Int(exactly: rounded()) }
}
