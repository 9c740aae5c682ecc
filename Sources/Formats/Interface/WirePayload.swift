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

    package let body: [UInt8]
    package let contentType: String
    /// A GET has no body.
    package var method = Method.post
    /// In place of the address's.
    package var path: String?
    package var headers: [Header] = []
    package var topic = ""
    /// For later subscribers.
    package var retain = false
    /// Of the same records, sent before this one.
    package var companions: [WirePayload] = []
}
