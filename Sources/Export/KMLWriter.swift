import Quantities
import Tracking

/// KML 2.2 with Google's tracks: a placemark with a `gx:MultiTrack` for each trip. A `gx:Track` lists all times before
/// all positions, so its points are collected. It ends at a gap and, to limit the use of memory, after 1000 points; the
/// next track then begins with the last of them, so that the line has no gap.
struct KMLWriter: ExportWriter {
    private static let mostPoints = 1000

    private(set) var count = 0
    private let device: String
    private var divider = TrackDivider()
    private var points: [(time: Timestamp, place: String)] = []

    init(device: String) { self.device = device }

    mutating func add(_ stored: StoredRecord, to text: inout String) {
        let record = stored.record
        guard let place = divider.place(record), let position = record.position else { return }
        if count == 0 { text += Self.head(device) }
        switch place {
        case .sameSegment:
            if points.count >= Self.mostPoints, let last = points.last {
                finishTrack(&text)
                points = [last]
            }
        case .newSegment: finishTrack(&text)
        case .newTrip:
            finishTrack(&text)
            if count > 0 { text += Self.placemarkEnd }
            text += "<Placemark>\n<name>Trip \(record.trip ?? 0)</name>\n<gx:MultiTrack>\n"
        }
        count += 1
        points.append((record.time, Self.place(position)))
    }

    mutating func end(_ text: inout String) {
        finishTrack(&text)
        text += Self.placemarkEnd + "</Document>\n</kml>\n"
    }

    private mutating func finishTrack(_ text: inout String) {
        guard !points.isEmpty else { return }
        text += "<gx:Track>\n"
        for point in points { text += "<when>\(point.time)</when>\n" }
        for point in points { text += "<gx:coord>\(point.place)</gx:coord>\n" }
        text += "</gx:Track>\n"
        points = []
    }

    private static let placemarkEnd = "</gx:MultiTrack>\n</Placemark>\n"

    private static func head(_ device: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document>
        <name>\(PlainText.xml(device))</name>

        """
    }

    /// Longitude, latitude and height above mean sea level. An unknown height is 0; viewers draw the line on the ground
    /// anyway.
    private static func place(_ position: Position) -> String {
        let height = position.altitude.flatMap { PlainText.number($0.value, decimals: 2) }
        return [
            PlainText.number(position.coordinate.longitude, decimals: 7),
            PlainText.number(position.coordinate.latitude, decimals: 7), height ?? "0",
        ].compactMap(\.self).joined(separator: " ")
    }
}
