internal import JSON
internal import Quantities
package import Tracking

/// Overland's batches, which Dawarich, PhoneTrack, Compass and others read. They contain only track points; all other
/// records are withheld.
package struct Overland: UploadFormat {
    package let name = "overland"
    package let recordsPerPayload = 1...1000

    package init() {}

    package func carries(_ record: Record, over kind: TransportKind) -> Bool {
        record.position != nil && record.kind.traits.contains(.point)
    }

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        let points = records.compactMap { point($0, device: sender.device) }
        guard !points.isEmpty else { return .withheld }
        guard let body = JSONValue.object(["locations": .list(points)]).encoded else {
            return .impossible(reason: "a number in a record is not finite")
        }
        return .payload(WirePayload(body: body, contentType: "application/json"))
    }

    private func point(_ stored: StoredRecord, device: String) -> JSONValue? {
        let record = stored.record
        guard let position = record.position else { return nil }
        let properties: [String: JSONValue] = [
            // The app writes whole seconds, and some readers accept nothing else.
            "timestamp": .text(record.time.inWholeSeconds),
            "horizontal_accuracy": .number(position.accuracy?.value ?? -1, decimals: 2),
            "vertical_accuracy": .number(position.verticalAccuracy?.value ?? -1, decimals: 2),
            "altitude": .number(position.altitude?.value, decimals: 2),
            "speed": .number(position.speed?.value ?? -1, decimals: 2),
            "course": .number(position.course?.value ?? -1, decimals: 1),
            "motion": .list([.text(record.isMoving ? "driving" : "stationary")]),
            "device_id": .text(device),
            "uuid": .text(stored.uuid),
        ]
        let place: [JSONValue] = [
            .number(position.coordinate.longitude, decimals: 7), .number(position.coordinate.latitude, decimals: 7),
        ]
        return .object([
            "type": .text("Feature"),
            "geometry": .object(["type": .text("Point"), "coordinates": .list(place)]),
            "properties": .object(properties.withoutNull),
        ])
    }

    /// Accepts `{"result":"ok"}` and an empty answer, and therefore not the log-in page of a network.
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict { answer in
            guard answer == .expected, !reply.isBlank else { return answer }
            let result = JSONValue(json: String(decoding: reply.body, as: UTF8.self))?.members?["result"]
            return result == .text("ok") ? answer : .unexpected(#"the answer is not {"result":"ok"}"#)
        }
    }
}

extension Timestamp {
    var inWholeSeconds: String { "\(description.dropLast(5))Z" }
}
