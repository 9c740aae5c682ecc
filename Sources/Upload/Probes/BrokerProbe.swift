internal import CMosquitto
internal import Formats
import Quantities

/// Connects to a broker with the user and the certificates of a target. Publishes an empty test message to the base of
/// the target's topics, so that the access rules apply as they do to a record. The message is not retained. A broker of
/// MQTT 3.1.1 gets no message, because it could not refuse one.
package struct BrokerProbe {
    package enum Outcome: Sendable, Hashable {
        /// `isFormerVersion`: the broker has only MQTT 3.1.1, so no test message was sent.
        case accepted(after: Duration, isFormerVersion: Bool)
        /// The broker rejects the user, or a secret cannot be read.
        case unauthorised(String)
        /// The broker accepts the connection, but not the test message.
        case unpublishable(String)
        case failed(String)
    }

    /// The timeout is long enough for a mobile network.
    static let timeout: Duration = .seconds(10)

    let now: () -> Instant

    /// Uses another client ID, so that a running trackerd stays connected.
    package func reach(_ target: UploadTarget) -> Outcome {
        let timeouts = TransportTimeouts(connect: Self.timeout)
        let connection = BrokerConnection(target, clientID: target.clientID + "-doctor", timeouts) { nil }
        defer { connection.close() }
        let began = now()
        var progress = connection.begin(at: began)
        while true {
            switch progress {
            case .open(let session):
                return publish(to: target.baseTopic, connection, session)
                    ?? .accepted(after: now() - began, isFormerVersion: !connection.isV5)
            case .failed(.unauthorised(let reason)): return .unauthorised(reason)
            case .failed(let verdict): return .failed(verdict.text)
            case .underWay: break
            }
            connection.watches.poll(timeout_ms: 100)
            progress = connection.advance(at: now())
        }
    }

    private func publish(to topic: String, _ connection: BrokerConnection, _ session: OpaquePointer) -> Outcome? {
        guard connection.isV5 else { return nil }
        let end = now() + Self.timeout
        var number: Int32 = 0
        guard cmosquitto_publish(session, topic, nil, 0, false, &number) == CMOSQUITTO_TAKEN else {
            return .failed(connection.fault(session).broken.text)
        }
        while now() < end {
            guard cmosquitto_advance(session) else { return .failed(connection.fault(session).broken.text) }
            var ack = cmosquitto_ack()
            if cmosquitto_acknowledged(session, &ack, 1) == 1 {
                let verdict = BrokerReason(code: Int(ack.reason), isV5: true).verdict(onMessageTo: topic)
                return verdict == .delivered ? nil : .unpublishable(verdict.text)
            }
            connection.watches.poll(timeout_ms: 100)
        }
        return .unpublishable("the broker does not acknowledge a test message to `\(topic)`")
    }
}

extension Verdict {
    fileprivate var text: String { reason ?? "\(self)" }
}
