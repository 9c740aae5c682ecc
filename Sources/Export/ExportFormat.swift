// Export: converts records into files for other programs (one source file a format) and into HTML reports (`Report`).
// The writers never collect the whole export in memory. They read and write no files themselves: the caller passes
// records in order of time, and writes the text that the writers append.

package enum ExportFormat: String, Sendable, CaseIterable {
    case gpx, geojson, csv, kml

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
