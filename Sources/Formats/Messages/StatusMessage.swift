internal import JSON
internal import Quantities
internal import Tracking

/// The condition of the tracker, its options or an order, as an OwnTracks status with a block for Linux (booklet: tech/json,
/// `status`).
enum StatusMessage {
    /// Returns the message; nil for a record of another kind.
    static func members(_ stored: StoredRecord) -> [String: JSONValue]? {
        let record = stored.record
        switch record.kind {
        case .providerchange, .power, .health, .optionschange, .order: break
        case .location, .motionchange, .visit, .transition, .waypoint, .trip, .request, .ping, .driving: return nil
        }
        guard let payload = RecordPayload.json(of: record.content) else { return nil }
        return [
            "_type": .text("status"),
            "_id": .text(stored.uuid),
            "tst": .integer(record.time.seconds),
            // The kind of the record, and its fields as in docs/geojson.schema.json.
            "linux": .object([record.kind.rawValue: payload]),
        ]
    }
}
