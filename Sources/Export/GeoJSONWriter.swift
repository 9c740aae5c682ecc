import Formats
import Tracking

/// A FeatureCollection with one feature in each line, as in the upload format `geojson` (docs/geojson.schema.json).
struct GeoJSONWriter: ExportWriter {
    private(set) var count = 0
    private let device: String

    init(device: String) { self.device = device }

    mutating func add(_ stored: StoredRecord, to text: inout String) {
        guard let feature = GeoJSON.feature(of: stored, device: device) else { return }
        text +=
            count == 0
            ? #"{"type":"FeatureCollection","schemaVersion":\#(GeoJSON.schemaVersion),"features":["# + "\n" : ",\n"
        count += 1
        text += String(decoding: feature, as: UTF8.self)
    }

    func end(_ text: inout String) { text += "\n]}\n" }
}
