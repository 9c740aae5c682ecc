// Export: converts records into files for other programs. Each format has one source file. The writers never collect
// the whole export in memory, so memory does not limit its size. This target does not read or write files. The caller
// passes records in order of time, and writes the text that the target returns.

package import Tracking

package enum ExportFormat: String, Sendable, CaseIterable {
    case gpx, geojson, csv, kml

    /// For the help text.
    package var summary: String {
        switch self {
        case .gpx: "GPX 1.1: a track for each trip, a segment for each part without a gap"
        case .geojson: "GeoJSON: all records, complete"
        case .csv: "a table of all records with a header"
        case .kml: "KML 2.2: a track with times for each trip"
        }
    }

    package func writer(device: String) -> any ExportWriter {
        switch self {
        case .gpx: GPXWriter(device: device)
        case .geojson: GeoJSONWriter(device: device)
        case .csv: CSVWriter()
        case .kml: KMLWriter(device: device)
        }
    }
}

/// The records come in order of time.
package protocol ExportWriter {
    var count: Int { get }

    /// After the head of the file at the first record; no change if the format leaves the record out.
    mutating func add(_ stored: StoredRecord, to text: inout String)

    /// Only if `count` is above zero.
    mutating func end(_ text: inout String)
}
