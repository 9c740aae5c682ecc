/// The families of transports, which is all that formats distinguish.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
    case http
    case mqtt
}

package enum EncodeResult: Sendable, Hashable {
    case payload(WirePayload)
    /// The format cannot express the records.
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
    /// Replaces the path of the target's address; nil keeps it.
    package var path: String?
    package var headers: [Header] = []
    package var topic = ""
    package var retain = false
    /// Payloads of the same records, which are sent before this one.
    package var companions: [WirePayload] = []
}
