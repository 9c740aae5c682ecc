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

    /// The range of `idleDisconnect`.
    package static let idleRange: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    /// The placeholders that `topic` may contain.
    static let placeholders = ["{user}", "{device}", "{tid}"]

    /// Makes options; the defaults are those of a target that sets no option.
    package init(topic: String? = nil, clientID: String? = nil, idleDisconnect: Duration? = nil) {
        self.topic = topic
        self.clientID = clientID
        self.idleDisconnect = idleDisconnect
    }

    /// Whether no option is set.
    var isEmpty: Bool { self == MQTTOptions() }

    /// Returns the topic, or the usual topic of a format if `topic` is nil, with `values` in place of `placeholders`.
    func baseTopic(usual: String, values: [String]) -> String {
        zip(Self.placeholders, values).reduce(topic ?? usual) { topic, pair in
            topic.replacing(pair.0, with: pair.1)
        }
    }
}
