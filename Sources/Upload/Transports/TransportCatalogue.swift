/// One transport: which URLs it serves, and how it is made.
package struct TransportRow: Sendable {
    /// The name that an owner knows it by.
    package let name: String
    /// The family, for formats.
    package let kind: TransportKind
    /// The schemes that are encrypted.
    package let secureSchemes: [String]
    /// The schemes that are not.
    package let clearSchemes: [String]
    /// Whether its URLs have a path.
    package let takesPath: Bool
    /// How many parcels may be under way at a time.
    package let window: Int
    /// Makes one for a target.
    package let make: @Sendable (UploadTarget, UploadClock, TransportPatience) -> any Transport

    /// All schemes.
    package var schemes: [String] { secureSchemes + clearSchemes }
}

/// All transports; a new one is a file beside this one and a row here.
package enum TransportCatalogue {
    /// The rows.
    package static let rows: [TransportRow] = [
        TransportRow(
            name: "HTTP", kind: .http, secureSchemes: ["https"], clearSchemes: ["http"], takesPath: true, window: 40,
            make: { target, _, patience in HTTP(target, patience) }),
        TransportRow(
            name: "MQTT", kind: .mqtt, secureSchemes: ["mqtts"], clearSchemes: ["mqtt"], takesPath: false, window: 20,
            make: { target, clock, patience in MQTT(target, clock, patience) }),
    ]

    /// The transport for URLs of this scheme.
    package static func row(forScheme scheme: String) -> TransportRow? {
        rows.first { $0.schemes.contains(scheme) }
    }
}
