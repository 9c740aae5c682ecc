internal import Formats

/// A reason code of MQTT 5 (section 2.4), or of the CONNACK of MQTT 3.1.1 (table 3.1).
struct BrokerReason: Sendable, Hashable {
    let code: Int
    let isV5: Bool

    var isOtherVersion: Bool { code == 0x84 || (!isV5 && code == 1) }

    var isAboutUser: Bool { isV5 ? [0x86, 0x87, 0x8A, 0x8C].contains(code) : [4, 5].contains(code) }

    var words: String {
        let name = isV5 ? Self.names[code] : Self.formerNames[code]
        return name ?? "reason code \(code)"
    }

    /// Begins with `; `; empty if there is none.
    var remedy: String {
        switch (isV5, code) {
        case (true, 0x85), (false, 2): "; set another `clientId`"
        case (true, 0x90), (true, 0x99): "; set another `topic`"
        case (true, 0x9C), (true, 0x9D): "; write the broker's new address into `url`"
        default: ""
        }
    }

    var refusedConnection: Verdict {
        guard isAboutUser else {
            return .retry(reason: "the broker refuses the connection (\(words)\(remedy))", after: nil)
        }
        return .unauthorised(reason: "the broker rejects this client (\(words))")
    }

    /// The broker may refuse only this message or every one; `Delivery` finds out which.
    func verdict(onMessageTo topic: String) -> Verdict {
        switch code {
        case ..<0x80: .delivered
        case 0x87: .refused(reason: "the broker's access rules forbid publishing to `\(topic)`")
        case 0x91, 0x97: .retry(reason: "the broker does not accept the message (\(words))", after: nil)
        default: .refused(reason: "the broker refuses a message to `\(topic)` (\(words))")
        }
    }

    private static let formerNames = [
        1: "it does not speak MQTT 3.1.1", 2: "it does not accept the client id", 3: "it is unavailable",
        4: "bad user name or password", 5: "not authorised",
    ]

    private static let names = [
        0x80: "it states no reason", 0x81: "malformed packet", 0x82: "protocol error",
        0x83: "implementation-specific error",
        0x84: "it does not speak MQTT 5", 0x85: "it does not accept the client id", 0x86: "bad user name or password",
        0x87: "not authorised", 0x88: "it is unavailable", 0x89: "it is busy", 0x8A: "this client is banned",
        0x8B: "it is shutting down", 0x8C: "it requires another authentication method",
        0x8D: "it received no packet in time",
        0x8E: "another client has the same client id", 0x8F: "topic filter invalid", 0x90: "topic name invalid",
        0x91: "packet identifier in use", 0x93: "too many messages at a time", 0x94: "topic alias invalid",
        0x95: "packet too large", 0x96: "too many messages", 0x97: "quota exceeded", 0x98: "administrative action",
        0x99: "payload format invalid", 0x9A: "it retains no messages", 0x9B: "it does not accept QoS 1",
        0x9C: "it refers to another server", 0x9D: "the server has moved", 0x9F: "too many connections in this time",
        0xA0: "the connection has lasted its maximum time",
    ]
}
