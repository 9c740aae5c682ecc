import Quantities
import Tracking

/// GPX 1.1 (topografix.com/GPX/1/1): a track for each trip, and a segment for each part of it without a gap. `ele` is
/// the height above mean sea level. GPX itself has neither speed nor course, so both are in Garmin's
/// TrackPointExtension v2, which most programs read.
struct GPXWriter: ExportWriter {
    private(set) var count = 0
    private let device: String
    private var divider = TrackDivider()

    init(device: String) { self.device = device }

    mutating func add(_ stored: StoredRecord, to text: inout String) {
        let record = stored.record
        guard let place = divider.place(record), let position = record.position else { return }
        if count == 0 { text += Self.head(device) }
        switch place {
        case .sameSegment: break
        case .newSegment: text += "</trkseg>\n<trkseg>\n"
        case .newTrip:
            if count > 0 { text += Self.trackEnd }
            text += "<trk>\n<name>\(PlainText.xml(device)), trip \(record.trip ?? 0)</name>\n"
            text += "<number>\(record.trip ?? 0)</number>\n<trkseg>\n"
        }
        count += 1
        text += Self.point(position, record.time)
    }

    func end(_ text: inout String) { text += Self.trackEnd + "</gpx>\n" }

    private static let trackEnd = "</trkseg>\n</trk>\n"

    private static func head(_ device: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="trackerd" xmlns="http://www.topografix.com/GPX/1/1"
          xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
        <metadata><name>\(PlainText.xml(device))</name></metadata>

        """
    }

    /// The schema requires this order of the parts.
    private static func point(_ position: Position, _ time: Timestamp) -> String {
        let latitude = PlainText.number(position.coordinate.latitude, decimals: 7) ?? "0"
        let longitude = PlainText.number(position.coordinate.longitude, decimals: 7) ?? "0"
        var text = "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">"
        if let height = position.altitude.flatMap({ PlainText.number($0.value, decimals: 2) }) {
            text += "<ele>\(height)</ele>"
        }
        text += "<time>\(time)</time>"
        if let satellites = position.satellites, satellites >= 0 { text += "<sat>\(satellites)</sat>" }
        let speed = position.speed.flatMap { PlainText.number($0.value, decimals: 2) }
        // A course may be rounded up to 360, which the schema of the extension permits.
        let course = position.course.flatMap { PlainText.number($0.value, decimals: 2) }
        if speed != nil || course != nil {
            text += "<extensions><gpxtpx:TrackPointExtension>"
            if let speed { text += "<gpxtpx:speed>\(speed)</gpxtpx:speed>" }
            if let course { text += "<gpxtpx:course>\(course)</gpxtpx:course>" }
            text += "</gpxtpx:TrackPointExtension></extensions>"
        }
        return text + "</trkpt>\n"
    }
}
