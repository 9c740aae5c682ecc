package import Formats

package struct TransportRow: Sendable {
    package let name: String
    package let kind: TransportKind
    package let secureSchemes: [String]
    package let clearSchemes: [String]
    package let takesPath: Bool
    package let window: Int

    package var schemes: [String] { secureSchemes + clearSchemes }
}

/// To add a transport, add a folder, a row to `rows`, and a case to `makeTransport`.
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

package struct MQTTOptions: Sendable, Hashable {
    /// May contain `placeholders`; nil means the format's usual topic.
    package var topic: String?
    /// Nil means an ID made of user, device and target.
    package var clientID: String?
    /// After this time without a message the connection ends, unless the target accepts orders; nil means never.
    package var idleDisconnect: Duration?

    package static let idleRange: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    static let placeholders = ["{user}", "{device}", "{tid}"]

    package init(topic: String? = nil, clientID: String? = nil, idleDisconnect: Duration? = nil) {
        self.topic = topic
        self.clientID = clientID
        self.idleDisconnect = idleDisconnect
    }

    var isEmpty: Bool { self == MQTTOptions() }

    /// Returns the topic with `values` in place of the `placeholders`.
    func baseTopic(usual: String, values: [String]) -> String {
        zip(Self.placeholders, values).reduce(topic ?? usual) { topic, pair in
            topic.replacing(pair.0, with: pair.1)
        }
    }
}
