package import Formats

/// One transport: the URLs that the transport serves.
package struct TransportRow: Sendable {
    package let name: String
    /// The family of the transport; formats distinguish only families.
    package let kind: TransportKind
    package let secureSchemes: [String]
    package let clearSchemes: [String]
    /// Whether the transport's URLs have a path.
    package let takesPath: Bool
    /// The maximum number of payloads in flight at the same time.
    package let window: Int

    package var schemes: [String] { secureSchemes + clearSchemes }
}

/// All transports; to add a transport, add a folder with its name, a row to `rows`, and a case to `makeTransport`.
package enum TransportCatalogue {
    package static let rows: [TransportRow] = [
        TransportRow(
            name: "HTTP", kind: .http, secureSchemes: ["https"], clearSchemes: ["http"], takesPath: true, window: 40),
        TransportRow(
            name: "MQTT", kind: .mqtt, secureSchemes: ["mqtts"], clearSchemes: ["mqtt"], takesPath: false, window: 20),
    ]

    /// Returns the transport for URLs of this scheme; nil for an unknown scheme.
    package static func row(forScheme scheme: String) -> TransportRow? {
        rows.first { $0.schemes.contains(scheme) }
    }
}
