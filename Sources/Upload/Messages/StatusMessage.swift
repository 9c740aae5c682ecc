internal import Quantities
internal import Tracking

/// The condition of the tracker, its options or an order, as an OwnTracks status with a block for Linux (booklet: tech/json,
/// `status`).
struct StatusMessage: Encodable {
    let _type = "status"
    let _id: String
    var topic: String?
    let tst: Int64
    /// The kind of the record, and its fields as in docs/geojson.schema.json.
    let linux: [String: RecordPayload]

    enum CodingKeys: CodingKey { case _type, _id, topic, tst, linux }

    /// Converts a record; nil for a record of another kind.
    init?(_ stored: StoredRecord) {
        let record = stored.record
        switch record.kind {
        case .providerchange, .power, .health, .optionschange, .order: break
        case .location, .motionchange, .visit, .transition, .waypoint, .trip, .request, .ping, .driving: return nil
        }
        guard let payload = RecordPayload(record.content) else { return nil }
        (_id, tst) = (stored.uuid, record.time.seconds)
        linux = [record.kind.rawValue: payload]
    }
}
