/// The version of MQTT that trackerd speaks with a broker: 5, or 3.1.1 if the broker does not support version 5.
struct BrokerVersion: Sendable, Hashable {
    /// How a broker refused MQTT 5.
    enum Sign: Sendable, Hashable {
        /// The broker stated the reason.
        case refusal
        /// The broker closed the connection without an answer, which a broken network can also cause.
        case silence
    }

    /// Whether to speak MQTT 5.
    private(set) var isV5 = true
    private var sign: Sign?

    /// Begins an attempt to connect; chooses MQTT 5 again if the reason for MQTT 3.1.1 was only a closed connection.
    mutating func begin() {
        if sign == .silence { self = BrokerVersion() }
    }

    /// Chooses MQTT 3.1.1; returns false if MQTT 3.1.1 is already in use.
    mutating func fallBack(_ sign: Sign) -> Bool {
        guard isV5 else { return false }
        (isV5, self.sign) = (false, sign)
        return true
    }

    /// Chooses MQTT 5 again, because the broker did not answer in the present version.
    mutating func startOver() { self = BrokerVersion() }

    /// The disadvantage of MQTT 3.1.1, for the log and for `doctor`.
    static let formerVersion =
        "the broker speaks only MQTT 3.1.1, so it cannot report that its access rules refuse a record"
}
