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

private struct Feature: Encodable {
    let geometry: Point?
    let properties: Properties

    init(_ stored: StoredRecord, device: String) {
        geometry = stored.record.position.map(Point.init)
        properties = Properties(stored, device: device)
    }

    enum CodingKeys: CodingKey { case type, geometry, properties }

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
    let uuid: String
    let sequence: Int64
    let device: String
    let kind: String
    let time: String
    let created: String
    let timeTrusted: Bool
    let moving: Bool
    let trip: Int?
    let tag: String?
    let vehicle: String?
    let driver: String?
    let regions: [RegionName]?
    let trigger: String?
    let payload: RecordPayload?
    let odometer_m: Double
    let accuracy_m: Double?
    let speed_mps: Double?
    let course_deg: Double?
    let altitude_msl_m: Double?
    let altitude_ellipsoid_m: Double?
    let vertical_accuracy_m: Double?
    let satellites: Int?
    let solution: String?
    let ignition: Bool?
    let supply_V: Double?

    init(_ stored: StoredRecord, device: String) {
        let record = stored.record
        let position = record.position
        uuid = stored.uuid
        sequence = stored.sequence
        self.device = device
        kind = record.kind.rawValue
        time = record.time.description
        created = stored.created.description
        timeTrusted = record.isTimeTrusted
        moving = record.isMoving
        trip = record.trip
        tag = record.tag
        vehicle = record.vehicle
        driver = record.driver
        regions = record.regions
        trigger = record.trigger?.rawValue
        payload = RecordPayload(record.content)
        odometer_m = record.odometer.value.rounded(decimals: 2)
        accuracy_m = position?.accuracy?.value.rounded(decimals: 2)
        speed_mps = position?.speed?.value.rounded(decimals: 2)
        course_deg = position?.course?.value.rounded(decimals: 2)
        altitude_msl_m = position?.altitude?.value.rounded(decimals: 2)
        altitude_ellipsoid_m = position?.ellipsoidAltitude?.value.rounded(decimals: 2)
        vertical_accuracy_m = position?.verticalAccuracy?.value.rounded(decimals: 2)
        satellites = position?.satellites
        solution = position?.solution?.rawValue
        ignition = record.ignition
        supply_V = record.supply?.value.rounded(decimals: 2)
    }
}
