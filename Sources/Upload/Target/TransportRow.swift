package import Formats

/// One transport: the URLs that the transport serves.
package struct TransportRow: Sendable {
    package let name: String
    /// The family of the transport; formats distinguish only families.
    package let kind: TransportKind
    package let secureSchemes: [String]
    package let clearSchemes: [String]
    package let takesPath: Bool
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

    package static func row(forScheme scheme: String) -> TransportRow? {
        rows.first { $0.schemes.contains(scheme) }
    }
}

/// The options of a target that matter only for MQTT.
package struct MQTTOptions: Sendable, Hashable {
    /// The topic, which may contain `placeholders`; nil means the usual topic of the format.
    package var topic: String?
    /// The client id; nil means an id that consists of user, device and target.
    package var clientID: String?
    /// The time without a message after which trackerd disconnects; nil means that it never does.
    ///
    /// If the target accepts orders, the option has no effect.
    package var idleDisconnect: Duration?

    package static let idleRange: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    static let placeholders = ["{user}", "{device}", "{tid}"]

    package init(topic: String? = nil, clientID: String? = nil, idleDisconnect: Duration? = nil) {
        self.topic = topic
        self.clientID = clientID
        self.idleDisconnect = idleDisconnect
    }

    var isEmpty: Bool { self == MQTTOptions() }

    /// Returns the topic, or the usual topic of a format if `topic` is nil, with `values` in place of `placeholders`.
    func baseTopic(usual: String, values: [String]) -> String {
        zip(Self.placeholders, values).reduce(topic ?? usual) { topic, pair in
            topic.replacing(pair.0, with: pair.1)
        }
    }
}
