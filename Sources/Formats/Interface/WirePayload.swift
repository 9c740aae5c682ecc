/// Formats distinguish only families.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
    case http
    case mqtt
}

package enum EncodeResult: Sendable, Hashable {
    case payload(WirePayload)
    /// The format cannot express them.
    case withheld
    /// The format has such records, but cannot encode these.
    case impossible(reason: String)
}

/// One HTTP request or MQTT message, with what the transport needs.
package struct WirePayload: Sendable, Hashable {
    package struct Header: Sendable, Hashable {
        package let name: String
        /// Without control characters.
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

    /// A GET has no body.
    package let method: Method
    /// In place of the address's.
    package let path: String?
    package let body: [UInt8]
    package let contentType: String
    package let headers: [Header]
    package let topic: String
    /// For later subscribers.
    package let retain: Bool
    /// Of the same records, sent before this one.
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
