// Export: converts records into files for other programs. Each format has one source file. The writers never collect
// the whole export in memory, so memory does not limit its size. This target does not read or write files. The caller
// passes records in order of time, and writes the text that the target returns.

package import Tracking

/// A file format for recorded tracks.
package enum ExportFormat: String, Sendable, CaseIterable {
    case gpx, geojson, csv, kml

    /// The contents of the file, for the help text.
    package var summary: String {
        switch self {
        case .gpx: "GPX 1.1: a track for each trip, a segment for each part without a gap"
        case .geojson: "GeoJSON: all records, complete"
        case .csv: "a table of all records with a header"
        case .kml: "KML 2.2: a track with times for each trip"
        }
    }

    /// Whether the file contains only the points of trips, instead of all records.
    package var isOfTracks: Bool {
        switch self {
        case .gpx, .kml: true
        case .geojson, .csv: false
        }
    }

    /// Makes a writer; `device` is the name of the vehicle's tracker.
    package func writer(device: String) -> any ExportWriter {
        switch self {
        case .gpx: GPXWriter(device: device)
        case .geojson: GeoJSONWriter(device: device)
        case .csv: CSVWriter()
        case .kml: KMLWriter(device: device)
        }
    }
}

/// Converts records into the text of a file; the caller must pass the records in order of time.
package protocol ExportWriter {
    /// The number of records in the file so far.
    var count: Int { get }

    /// Appends the text for the next record, after the head of the file if this is the first record in the file.
    ///
    /// Does not change the text if the format leaves the record out.
    mutating func add(_ stored: StoredRecord, to text: inout String)

    /// Appends the end of the file; call this function only if `count` is above zero.
    mutating func end(_ text: inout String)
}
