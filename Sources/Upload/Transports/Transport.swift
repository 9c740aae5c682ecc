package import Quantities

/// Sends payloads to a server; never blocks.
///
/// Each payload passed to `send` gets exactly one verdict from `advance`. The owner waits until a socket of `watches` is
/// ready or `deadline` is reached, then calls `advance`; it may also call `advance` at any other time.
package protocol Transport: AnyObject {
    /// The sockets to wait for now.
    var watches: [Watch] { get }

    /// When to call `advance` even if no socket is ready; nil for no such time.
    var deadline: Instant? { get }

    /// Takes a payload; `id` is that of its outcome. At most the catalogue's `window` may be in flight.
    func send(_ payload: WirePayload, as id: Int, at now: Instant)

    /// Goes on as far as possible without waiting; returns the outcomes since the last call.
    func advance(at now: Instant) -> [BatchOutcome]

    /// Closes the connection, with a farewell if that needs no waiting; payloads in flight get no verdict.
    func close()
}

/// A family of transports, as far as formats distinguish them.
package enum TransportKind: String, Sendable, Hashable, CaseIterable {
    case http
    case mqtt
}

/// A socket to wait for.
package struct Watch: Sendable, Hashable {
    /// The socket.
    package let descriptor: Int32
    /// Whether to wait until it is readable.
    package let reads: Bool
    /// Whether to wait until it is writable.
    package let writes: Bool

    /// Names a socket.
    package init(descriptor: Int32, reads: Bool, writes: Bool) {
        self.descriptor = descriptor
        self.reads = reads
        self.writes = writes
    }
}

/// How long a transport waits for the server.
package struct TransportTimeouts: Sendable, Hashable {
    /// Until the connection is established, including name resolution and TLS.
    package var connect: Duration
    /// Until a payload is answered.
    package var answer: Duration
    /// Between pings on an idle MQTT connection; long, because each ping is a wake-up.
    package var keepAlive: Duration

    /// Chooses the timeouts; the defaults suit a mobile network.
    package init(
        connect: Duration = .seconds(20), answer: Duration = .seconds(60), keepAlive: Duration = .seconds(300)
    ) {
        self.connect = connect
        self.answer = answer
        self.keepAlive = keepAlive
    }
}

/// One transport: the URLs that it serves, and how to make it.
package struct TransportRow: Sendable {
    /// The name for messages.
    package let name: String
    /// The family, for formats.
    package let kind: TransportKind
    /// The encrypted schemes.
    package let secureSchemes: [String]
    /// The unencrypted schemes.
    package let clearSchemes: [String]
    /// Whether its URLs have a path.
    package let takesPath: Bool
    /// The most payloads in flight at a time.
    package let window: Int
    /// Makes one for a target.
    package let make: @Sendable (UploadTarget, UploadClocks, TransportTimeouts) -> any Transport

    /// All schemes.
    package var schemes: [String] { secureSchemes + clearSchemes }
}

/// All transports; a new one is a file next to this one and a row here.
package enum TransportCatalogue {
    /// The rows.
    package static let rows: [TransportRow] = [
        TransportRow(
            name: "HTTP", kind: .http, secureSchemes: ["https"], clearSchemes: ["http"], takesPath: true, window: 40,
            make: { target, _, timeouts in HTTP(target, timeouts) }),
        TransportRow(
            name: "MQTT", kind: .mqtt, secureSchemes: ["mqtts"], clearSchemes: ["mqtt"], takesPath: false, window: 20,
            make: { target, clocks, timeouts in MQTT(target, clocks, timeouts) }),
    ]

    /// The transport for URLs of this scheme.
    package static func row(forScheme scheme: String) -> TransportRow? {
        rows.first { $0.schemes.contains(scheme) }
    }
}
