internal import FoundationEssentials
package import Quantities
package import Tracking

/// OwnTracks' `location` messages, over HTTP and MQTT (booklet: tech/json, tech/http, guide/topics).
///
/// A record without a place cannot be said in this format, and is withheld. The start and the end of a drive are
/// `location` messages with `motion` set to what came of it; none carries a trigger `t`, which means "automatic".
package struct OwnTracks: UploadFormat {
    /// The name in the configuration.
    package let name = "owntracks"
    /// What it can be sent over.
    package let transports: [TransportKind] = [.http, .mqtt]
    /// One message, one record.
    package let recordsPerParcel = 1...1

    /// Writes a location message.
    package func pack(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> Packing {
        guard let stored = records.first, let position = stored.record.position else { return .withheld }
        let topic = Self.topic(of: target)
        let message = LocationMessage(stored, position, tid: target.trackerID, topic: kind == .http ? topic : nil)
        guard let body = JSONBytes.encode(message) else {
            return .impossible(reason: "a number in the record is not finite")
        }
        let limits = [Parcel.Header("X-Limit-U", target.user), Parcel.Header("X-Limit-D", target.device)]
        return .parcel(
            Parcel(body: body, contentType: "application/json", headers: limits, topic: topic, retain: isNewest))
    }

    /// A server of this format answers with nothing, or with JSON (mostly `[]`).
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict(isExpected: reply.isEmptyOrJSON)
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

private struct LocationMessage: Encodable {
    let _type = "location"
    let _id: String
    let topic: String?
    let tid: String
    let lat: Double
    let lon: Double
    let tst: Int64
    let created_at: Int64?
    let acc: Int?
    let alt: Int?
    let vac: Int?
    let vel: Int?
    let cog: Int?
    let m: Int
    let motion: Bool
    let odometer: Double

    enum CodingKeys: CodingKey {
        case _type, _id, topic, tid, lat, lon, tst, created_at, acc, alt, vac, vel, cog, m, motion, odometer
    }

    init(_ stored: StoredRecord, _ position: Position, tid: String, topic: String?) {
        let record = stored.record
        _id = stored.uuid
        self.topic = topic
        self.tid = tid
        lat = position.coordinate.latitude.rounded(decimals: 7)
        lon = position.coordinate.longitude.rounded(decimals: 7)
        tst = record.time.seconds
        created_at = stored.created.seconds == tst ? nil : stored.created.seconds
        // 0 stands for "unknown" with readers of this key.
        acc = position.accuracy.flatMap { $0.value.wholeNumber.map { max(1, $0) } }
        alt = position.altitude?.value.wholeNumber
        vac = position.verticalAccuracy.flatMap { $0.value.wholeNumber.map { max(1, $0) } }
        vel = position.speed.flatMap { ($0.value * 3.6).wholeNumber }
        cog = position.course?.value.wholeNumber.map { $0 % 360 }
        // The booklet's monitoring modes: 1 significant, 2 move.
        m = record.isMoving ? 2 : 1
        motion = record.isMoving
        odometer = (record.odometer.value / 1000).rounded(decimals: 3)
    }
}
