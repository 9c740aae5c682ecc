import Export
import Quantities
import Testing
import Tracking

/// Records of a drive in Amsterdam, which begins at 2025-10-09T08:53:20Z.
private enum Drive {
    static let start = Timestamp(milliseconds: 1_760_000_000_000)

    static func record(
        _ sequence: Int64, _ content: Record.Content = .location, at second: Double, trip: Int? = 1,
        isMoving: Bool = true,
        altitude: Double? = 1.25, speed: Double? = 13.06, tag: String? = nil
    ) -> StoredRecord {
        let coordinate = Coordinate(latitude: 52.374031 + Double(sequence) * 1e-5, longitude: 4.889692)
        let position = coordinate.map {
            Position(
                coordinate: $0, accuracy: Metres(6), altitude: altitude.map { Metres($0) },
                speed: speed.map { MetresPerSecond($0) }, course: speed.map { _ in Degrees(271.5) }, satellites: 9)
        }
        var record = Record(
            content, time: start + .milliseconds(Int64(second * 1000)), isTimeTrusted: true, position: position,
            isMoving: isMoving, odometer: Metres(Double(sequence) * 10), trip: trip)
        record.tag = tag
        return StoredRecord(
            sequence: sequence, uuid: "0199c000-0000-7000-8000-00000000000\(sequence)", created: record.time,
            record: record)
    }

    static func text(_ format: ExportFormat, _ records: [StoredRecord], device: String = "van1") -> String {
        var (writer, text) = (format.writer(device: device), "")
        for record in records { writer.add(record, to: &text) }
        if writer.count > 0 { writer.end(&text) }
        return text
    }
}

@Suite("Exported files")
struct ExportTests {
    private let departure = Drive.record(1, .motionchange, at: 0, speed: nil)
    private let points = [Drive.record(2, at: 10), Drive.record(3, at: 20.5, altitude: nil)]
    private let arrival = Drive.record(4, .motionchange, at: 30, isMoving: false, altitude: nil, speed: nil)

    @Test("A trip is a GPX track with height, time, satellites, speed and course.")
    func gpx() {
        let text = Drive.text(.gpx, [departure] + points.prefix(1), device: "van <1>")
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="trackerd" xmlns="http://www.topografix.com/GPX/1/1"
                  xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
                <metadata><name>van &lt;1&gt;</name></metadata>
                <trk>
                <name>van &lt;1&gt;, trip 1</name>
                <number>1</number>
                <trkseg>
                <trkpt lat="52.374041" lon="4.889692"><ele>1.25</ele><time>2025-10-09T08:53:20.000Z</time><sat>9</sat></trkpt>
                <trkpt lat="52.374051" lon="4.889692"><ele>1.25</ele><time>2025-10-09T08:53:30.000Z</time><sat>9</sat>\
                <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>13.06</gpxtpx:speed>\
                <gpxtpx:course>271.5</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
                </trkseg>
                </trk>
                </gpx>

                """)
    }

    @Test("A KML track lists its times before its positions.")
    func kml() {
        #expect(
            Drive.text(.kml, [departure] + points) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
                <Document>
                <name>van1</name>
                <Placemark>
                <name>Trip 1</name>
                <gx:MultiTrack>
                <gx:Track>
                <when>2025-10-09T08:53:20.000Z</when>
                <when>2025-10-09T08:53:30.000Z</when>
                <when>2025-10-09T08:53:40.500Z</when>
                <gx:coord>4.889692 52.374041 1.25</gx:coord>
                <gx:coord>4.889692 52.374051 1.25</gx:coord>
                <gx:coord>4.889692 52.374061 0</gx:coord>
                </gx:Track>
                </gx:MultiTrack>
                </Placemark>
                </Document>
                </kml>

                """)
    }

    @Test("A CSV file has a header, one line per record, and quotes around text with commas.")
    func csv() {
        let tagged = Drive.record(
            5, .ping, at: 40, trip: nil, isMoving: false, altitude: nil, speed: nil, tag: #"a,"b""#)
        #expect(
            Drive.text(.csv, [points[0], tagged]) == """
                time,time_trusted,sequence,uuid,kind,trip,moving,lat,lon,accuracy_m,altitude_msl_m,speed_mps,course_deg,\
                satellites,odometer_m,ignition,supply_V,tag,vehicle,driver
                2025-10-09T08:53:30.000Z,true,2,0199c000-0000-7000-8000-000000000002,location,1,true,52.374051,4.889692,6,\
                1.25,13.06,271.5,9,20,,,,,
                2025-10-09T08:54:00.000Z,true,5,0199c000-0000-7000-8000-000000000005,ping,,false,52.374081,4.889692,6,,,,9,50,\
                ,,"a,""b""\",,

                """)
    }

    @Test("A GeoJSON file is one collection with one line per record.")
    func geojson() {
        let lines = Drive.text(.geojson, [points[0], arrival]).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(lines[0] == #"{"type":"FeatureCollection","schemaVersion":1,"features":["#)
        #expect(lines[1].hasPrefix("{\"geometry\":") && lines[1].hasSuffix("},"))
        #expect(lines[2].contains("\"kind\":\"motionchange\"") && lines[2].hasSuffix("}"))
        #expect(lines[3] == "]}")
    }

    @Test("A track is divided at an arrival, at a lost fix, after a pause, and between trips.")
    func segments() {
        let text = Drive.text(
            .gpx,
            [
                departure, points[0], arrival, Drive.record(5, at: 40), Drive.record(6, at: 340),
                Drive.record(7, .providerchange(ProviderChange(.noFix)), at: 350), Drive.record(8, at: 360),
                Drive.record(9, at: 661), Drive.record(1, at: 700, trip: 2),
            ])
        let parts = text.split(separator: "<trkseg>").dropFirst().map { part in
            part.split(separator: "<trkpt").count - 1
        }
        #expect(parts == [3, 2, 1, 1, 1])
        #expect(text.split(separator: "<trk>").count == 3)
    }

    @Test("A record while parked, without a trip, or with an untrusted time is no point of a track.")
    func noPoints() {
        var untrusted = Drive.record(4, at: 40).record
        untrusted.isTimeTrusted = false
        let stored = StoredRecord(sequence: 4, uuid: "4", created: Drive.start, record: untrusted)
        let records = [arrival, Drive.record(2, at: 10, trip: nil), Drive.record(3, .ping, at: 20), stored]
        #expect(Drive.text(.gpx, records).isEmpty)
        #expect(Drive.text(.kml, records).isEmpty)
    }

    @Test("A long KML track is divided into tracks of bounded length, each of which begins where the last one ends.")
    func longTrack() {
        let records = (0..<2500).map { Drive.record(1, at: Double($0)) }
        let text = Drive.text(.kml, records)
        let tracks = text.split(separator: "<gx:Track>").dropFirst()
        #expect(tracks.map { $0.split(separator: "<when>").count - 1 } == [1000, 1000, 502])
        #expect(tracks.map { $0.split(separator: "<gx:coord>").count - 1 } == [1000, 1000, 502])
        #expect(tracks.dropFirst().first?.hasPrefix("\n<when>2025-10-09T09:09:59.000Z</when>") == true)
    }

    @Test(
        "Numbers near zero and negative numbers have no exponent.",
        arguments: [(0.00001, "0.00001"), (-0.00001, "-0.00001"), (-33.5, "-33.5"), (1e-9, "0"), (-1e-9, "0")])
    func numbers(latitude: Double, text: String) {
        var record = points[0].record
        record.position = Coordinate(latitude: latitude, longitude: 0).map { Position(coordinate: $0) }
        let stored = StoredRecord(sequence: 1, uuid: "1", created: Drive.start, record: record)
        #expect(Drive.text(.gpx, [stored]).contains("<trkpt lat=\"\(text)\" lon=\"0\">"))
    }
}
