internal import FoundationEssentials
package import Quantities
package import Tracking

/// The messages of OwnTracks, over HTTP and MQTT (booklet: tech/json, tech/http, guide/topics).
///
/// The start and the end of a drive are `location` messages with `motion` set to what came of it; a trigger `t` says what
/// else made one. A record without a place, and one of a kind that OwnTracks does not know, is withheld.
package struct OwnTracks: UploadFormat {
    /// The name in the configuration.
    package let name = "owntracks"
    /// What it can be sent over.
    package let transports: [TransportKind] = [.http, .mqtt]
    /// One message, one record.
    package let recordsPerParcel = 1...1

    /// Writes a message; only a location is ever retained.
    package func pack(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> Packing {
        guard let stored = records.first, let message = OwnTracksMessage(stored, tid: target.trackerID) else {
            return .withheld
        }
        let topic = Self.topic(of: target) + message.topicSuffix
        guard let body = message.body(topic: kind == .http ? topic : nil) else {
            return .impossible(reason: "a number in the record is not finite")
        }
        let limits = [Parcel.Header("X-Limit-U", target.user), Parcel.Header("X-Limit-D", target.device)]
        return .parcel(
            Parcel(
                body: body, contentType: "application/json", headers: limits, topic: topic,
                retain: isNewest && message.isRetainable))
    }

    /// A server of this format answers with nothing, or with JSON (mostly `[]`).
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict
    }

    /// The message that tells of a lost connection, never retained: it shares its topic with the location that is.
    package func will(for target: UploadTarget, connectedAt time: Timestamp) -> Parcel? {
        JSONBytes.encode(WillMessage(tst: time.seconds)).map {
            Parcel(body: $0, contentType: "application/json", topic: Self.topic(of: target))
        }
    }

    private static func topic(of target: UploadTarget) -> String { "owntracks/\(target.user)/\(target.device)" }
}

private struct WillMessage: Encodable {
    let _type = "lwt"
    let tst: Int64

    enum CodingKeys: CodingKey { case _type, tst }
}
