internal import FoundationEssentials
internal import Quantities
package import Tracking

/// trackerd's own complete record as a GeoJSON FeatureCollection (RFC 7946); docs/geojson.schema.json describes the format.
///
/// The third coordinate is the height above the ellipsoid, as the RFC requires. A record without a position is a feature with a
/// null geometry.
package struct GeoJSON: UploadFormat {
    /// The name in the configuration.
    package let name = "geojson"
    /// The transports that can carry the format.
    package let transports: [TransportKind] = [.http]
    /// The range for the target's `batchSize`.
    package let recordsPerPayload = 1...1000

    /// The version of the format; it increases when a reader of the old form would misread the new form.
    package static let schemaVersion = 1

    /// Makes the format.
    package init() {}

    /// Encodes a collection; the features are in the order of the records.
    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> EncodeResult {
        let features = records.map { Feature($0, device: target.device) }
        guard let body = JSONBytes.encode(Collection(features: features)) else {
            return .impossible(reason: "a number in a record is not finite")
        }
        return .payload(WirePayload(body: body, contentType: "application/geo+json"))
    }

    /// Returns the feature of one record as JSON text in UTF-8; nil if a number in the record is not finite.
    package static func feature(of stored: StoredRecord, device: String) -> [UInt8]? {
        JSONBytes.encode(Feature(stored, device: device))
    }

    /// Returns the verdict on an answer; a server of this format answers with an empty body or with JSON.
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict
    }
}

private struct Collection: Encodable {
    let type = "FeatureCollection"
    let schemaVersion = GeoJSON.schemaVersion
    let features: [Feature]

    enum CodingKeys: CodingKey { case type, schemaVersion, features }
}

/// A record as a feature.
struct Feature: Encodable {
    private let geometry: Point?
    private let properties: Properties

    init(_ stored: StoredRecord, device: String) {
        geometry = stored.record.position.map(Point.init)
        properties = Properties(stored: stored, device: device)
    }

    private enum CodingKeys: CodingKey { case type, geometry, properties }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Feature", forKey: .type)
        // The RFC requires the member even if it is null.
        try container.encode(geometry, forKey: .geometry)
        try container.encode(properties, forKey: .properties)
    }
}

private struct Point: Encodable {
    let type = "Point"
    let coordinates: [Double]

    enum CodingKeys: CodingKey { case type, coordinates }

    init(_ position: Position) {
        let place = position.coordinate
        let height = position.ellipsoidAltitude.map { [$0.value.rounded(decimals: 2)] } ?? []
        coordinates = [place.longitude.rounded(decimals: 7), place.latitude.rounded(decimals: 7)] + height
    }
}

private struct Properties: Encodable {
    let stored: StoredRecord
    let device: String

    func encode(to encoder: any Encoder) throws {
        let record = stored.record
        try SteadyProperties(record).encode(to: encoder)
        var container = encoder.container(keyedBy: PropertyName.self)
        try container.encode(stored.uuid, forKey: PropertyName("uuid"))
        try container.encode(stored.sequence, forKey: PropertyName("sequence"))
        try container.encode(device, forKey: PropertyName("device"))
        try container.encode(record.time.description, forKey: PropertyName("time"))
        if stored.isCreatedLater { try container.encode(stored.created.description, forKey: PropertyName("created")) }
        try container.encodeIfPresent(record.position?.satellites, forKey: PropertyName("satellites"))
        for property in MeasuredProperty.all {
            let value = property.value(record)?.rounded(decimals: property.decimals)
            try container.encodeIfPresent(value, forKey: PropertyName(property.name))
        }
    }
}

extension StoredRecord {
    /// Whether the time of creation is before the record's time, or at least 2 s after it; if so, a feature states both times.
    ///
    /// At a turn the tracker records the last fix before the turn. The time of such a record is one to two seconds before its
    /// creation.
    fileprivate var isCreatedLater: Bool { !(Duration.zero..<Duration.seconds(2)).contains(created - record.time) }
}
