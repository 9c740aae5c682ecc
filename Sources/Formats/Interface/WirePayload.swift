/// A family of transports; formats do not distinguish the transports of a family.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
    case http
    case mqtt
}

package enum EncodeResult: Sendable, Hashable {
    case payload(WirePayload)
    /// The format cannot express these records, so the target does not receive them.
    case withheld
    /// The format can express records of this kind, but cannot encode these records.
    case impossible(reason: String)
}

/// The bytes of one HTTP request or one MQTT message, and the values that the transport needs to send them.
package struct WirePayload: Sendable, Hashable {
    package struct Header: Sendable, Hashable {
        package let name: String
        /// The value, without control characters.
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
    }

    /// The method, for HTTP; a GET has no body.
    package let method: Method
    /// Path and query for HTTP, in place of those of the target's address; nil if the payload uses the target's address.
    package let path: String?
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
