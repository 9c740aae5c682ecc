internal import JSON
internal import Quantities
package import Tracking

/// trackerd's own complete record as a GeoJSON FeatureCollection (RFC 7946); docs/geojson.schema.json describes the format.
///
/// The third coordinate is the height above the ellipsoid, as the RFC requires. A record without a position is a feature with a
/// null geometry.
package struct GeoJSON: UploadFormat {
    package let name = "geojson"
    package let recordsPerPayload = 1...1000

    /// Grows when a reader of the old form would misread the new one.
    package static let schemaVersion = 1

    package init() {}

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        var writer = JSONWriter(capacity: 512 * records.count)
        do {
            try writer.write(collection: records, device: sender.device)
        } catch {
            return .impossible(reason: "a number in a record is not finite")
        }
        return .payload(WirePayload(body: writer.bytes, contentType: "application/geo+json"))
    }

    /// Returns JSON in UTF-8; nil if a number is not finite.
    package static func feature(of stored: StoredRecord, device: String) -> [UInt8]? {
        var writer = JSONWriter(capacity: 512)
        do {
            try writer.write(feature: stored, device: device)
        } catch {
            return nil
        }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func write(collection records: [StoredRecord], device: String) throws {
        beginObject()
        write(key: Keys.features)
        beginList()
        for stored in records { try write(feature: stored, device: device) }
        endList()
        write(key: Keys.schemaVersion)
        write(Int64(GeoJSON.schemaVersion))
        write(key: Keys.type)
        write("FeatureCollection")
        endObject()
    }

    mutating func write(feature stored: StoredRecord, device: String) throws {
        beginObject()
        write(key: Keys.geometry)
        if let position = stored.record.position {
            try write(point: position)
        } else {
            // The RFC requires the member even if it is null.
            writeNull()
        }
        write(key: Keys.properties)
        try write(FeatureProperty.all, of: Feature(stored: stored, device: device))
        write(key: Keys.type)
        write("Feature")
        endObject()
    }

    private mutating func write(point position: Position) throws {
        beginObject()
        write(key: Keys.coordinates)
        beginList()
        try write(position.coordinate.longitude, decimals: 7)
        try write(position.coordinate.latitude, decimals: 7)
        if let height = position.ellipsoidAltitude { try write(height.value, decimals: 2) }
        endList()
        write(key: Keys.type)
        write("Point")
        endObject()
    }
}

private enum Keys {
    static let coordinates: JSONKey = "coordinates"
    static let features: JSONKey = "features"
    static let geometry: JSONKey = "geometry"
    static let properties: JSONKey = "properties"
    static let schemaVersion: JSONKey = "schemaVersion"
    static let type: JSONKey = "type"
}
