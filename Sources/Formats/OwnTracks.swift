internal import JSON
package import Quantities
package import Tracking

/// The messages of OwnTracks, over HTTP and MQTT (booklet: tech/json, tech/http, guide/topics).
///
/// The start and the end of a drive are `location` messages with the new state in `motion`; any other cause is in `t`
/// (trigger). A `status` message has the answer to an order; over HTTP, only the server that has sent the order receives it.
/// Over MQTT, a `status` also reports the tracker's condition and options if the owner requests that. The result of the
/// command `waypoints` is a `waypoints` message too. Records without the position, place or beacon that their message needs
/// are withheld.
package struct OwnTracks: UploadFormat {
    package let name = "owntracks"
    package let transports: [TransportKind] = [.http, .mqtt]
    package let recordsPerPayload = 1...1
    /// Nil means clear text.
    private let cipher: (any MessageCipher)?
    /// False by default, as OwnTracks' apps publish a status only on request.
    private let sendsStatus: Bool

    package init(key: (any MessageCipher)? = nil, sendsStatus: Bool = false) {
        (cipher, self.sendsStatus) = (key, sendsStatus)
    }

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        guard let stored = records.first else { return .withheld }
        guard let message = message(of: stored, for: sender, over: kind) else { return .withheld }
        let topic = sender.topic + message.topicSuffix
        guard let text = message.body(topic: kind == .http ? topic : nil) else {
            return .impossible(reason: "a number in the record is not finite")
        }
        guard let body = sealed(text) else { return .impossible(reason: "libsodium cannot encrypt the message") }
        let limits = [WirePayload.Header("X-Limit-U", sender.user), WirePayload.Header("X-Limit-D", sender.device)]
        var payload = WirePayload(
            body: body, contentType: "application/json", headers: limits, topic: topic,
            retain: isNewest && message.isRetainable)
        payload.companions = waypoints(in: stored, for: sender, over: kind, limits)
        return .payload(payload)
    }

    /// Some HTTP servers take every message as a location, so only a server that sends orders receives a status.
    private func message(of stored: StoredRecord, for sender: Sender, over kind: TransportKind) -> OwnTracksMessage? {
        let isAnswer =
            switch (stored.record.content, kind) {
            case (.order, .mqtt): true
            case (.order(let report), .http): sender.acceptsOrders && report.target == sender.target
            default: false
            }
        let mayBeStatus = isAnswer || (sendsStatus && kind == .mqtt)
        return OwnTracksMessage(stored, tid: sender.trackerID, mayBeStatus: mayBeStatus)
    }

    private func waypoints(
        in stored: StoredRecord, for sender: Sender, over kind: TransportKind, _ headers: [WirePayload.Header]
    ) -> [WirePayload] {
        guard var list = WaypointsMessage.members(stored, for: sender) else { return [] }
        let topic = sender.topic + WaypointsMessage.topicSuffix
        if kind == .http { list["topic"] = .text(topic) }
        guard let body = JSONValue.object(list).encoded.flatMap(sealed) else { return [] }
        return [WirePayload(body: body, contentType: "application/json", headers: headers, topic: topic)]
    }

    /// The will is not retained, because the retained location has the same topic.
    package func will(for sender: Sender, connectedAt time: Timestamp) -> WirePayload? {
        let message = JSONValue.object(["_type": .text("lwt"), "tst": .integer(time.seconds)])
        return message.encoded.flatMap(sealed).map {
            WirePayload(body: $0, contentType: "application/json", topic: sender.topic)
        }
    }

    private func sealed(_ message: [UInt8]) -> [UInt8]? {
        guard let cipher else { return message }
        return cipher.seal(message)
    }

    package var orderCipher: (any MessageCipher)? { cipher }

    package let usualTopic = "owntracks/{user}/{device}"
}
