import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("GPX files")
struct GPXDriveTests {
    private static let point = #"<trkpt lat="52.3" lon="4.8"><time>2025-10-09T08:53:20Z</time></trkpt>"#

    private func read(_ text: String) throws(DriveError) -> Drive {
        try GPXDrive.read(Array(text.utf8), file: "drive.gpx")
    }

    @Test("Track points are read with time, position, altitude and satellites.")
    func points() throws {
        let drive = try read(
            """
            <?xml version="1.0"?><gpx version="1.1" creator="test"><trk><trkseg>
            <trkpt lat="52.374031" lon="4.889692"><ele>3.0</ele><time>2025-10-09T08:53:20.000Z</time><sat>11</sat></trkpt>
            <trkpt lat="52.374131" lon="4.889692"><time>2025-10-09T08:53:21Z</time></trkpt>
            </trkseg></trk></gpx>
            """)
        #expect(drive.fixes.map(\.time) == [.zero, .seconds(1)])
        let first = try #require(drive.fixes.first?.value)
        #expect(first.time == Timestamp(milliseconds: 1_760_000_000_000))
        #expect(first.coordinate == Coordinate(latitude: 52.374031, longitude: 4.889692))
        #expect(first.satellites == 11)
        #expect(first.altitude == Metres(3))
    }

    @Test("Speed and course are read from extensions, with any prefix and with white space around them.")
    func extensions() throws {
        let drive = try read(
            """
            <gpx><trk><trkseg><trkpt lat="52.3" lon="4.8"><time> 2025-10-09T08:53:20Z
            </time><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed> 7.5 </gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>
            </gpxtpx:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
            """)
        #expect(drive.fixes.first?.value.speed == MetresPerSecond(7.5))
        #expect(drive.fixes.first?.value.course == Degrees(90))
    }

    @Test(
        "The forms in which programs write a track are read alike.",
        arguments: [
            #"<gpx:trkpt lat="52.3" lon="4.8"><gpx:time>2025-10-09T08:53:20Z</gpx:time></gpx:trkpt>"#,
            #"<trkpt lat=" 52.3 " lon="4.8&#10;"><time>2025-10-09T08:53:20Z</time></trkpt>"#,
            #"<trkpt lat="52.3" lon="364.8"><time>2025-10-09T08:53:20.000</time></trkpt>"#,
            #"<trkpt lat="52.3" lon="-355.2"><time>2025-10-09 08:53:20</time></trkpt>"#,
            """
            <trkpt lat="52.3" lon="4.8"><time>2025-10-09T08:53:20Z</time>
            <extensions><time>later</time><x:time>1999-01-01T00:00:00Z</x:time></extensions></trkpt>
            """,
        ])
    func forms(point: String) throws {
        let fix = try #require(read("<gpx>\(point)</gpx>").fixes.first?.value)
        #expect(fix.time == Timestamp(year: 2025, month: 10, day: 9) + .seconds(8 * 3600 + 53 * 60 + 20))
        #expect(fix.coordinate?.latitude == 52.3)
        #expect(abs((fix.coordinate?.longitude ?? 0) - 4.8) < 1e-9)
    }

    @Test("A longitude that is no angle gives no place.")
    func damagedLongitude() throws {
        let point = #"<trkpt lat="52.3" lon="1324.05"><time>2025-10-09T08:53:20Z</time></trkpt>"#
        #expect(try #require(read("<gpx>\(point)</gpx>").fixes.first?.value).coordinate == nil)
    }

    @Test("A track of one place at one time is read, because it may be an excerpt.")
    func onePlace() throws {
        #expect(try read("<gpx>\(Self.point)\(Self.point)</gpx>").fixes.count == 2)
    }

    @Test("A track whose points all have one time is refused with the number of its points.")
    func oneTime() {
        let elsewhere = #"<trkpt lat="52.4" lon="4.8"><time>2025-10-09T08:53:20Z</time></trkpt>"#
        let error = #expect(throws: DriveError.self) { try read("<gpx>\(Self.point)\(Self.point)\(elsewhere)</gpx>") }
        #expect(error?.description.hasPrefix("drive.gpx:1: all 3 points have one time, ") == true)
    }

    @Test("Points that are not in the order of their times are sorted by time.")
    func unsorted() throws {
        let points = [3, 2, 9, 0, 1].map {
            #"<trkpt lat="52.\#($0)" lon="4"><time>2025-10-09T08:53:2\#($0)Z</time></trkpt>"#
        }
        let drive = try read("<gpx>\(points.joined())</gpx>")
        #expect(drive.fixes.map(\.time) == [0, 1, 2, 3, 9].map { .seconds($0) })
        #expect(drive.fixes.map(\.value.coordinate?.latitude) == [52, 52.1, 52.2, 52.3, 52.9])
    }

    @Test("A track without times is refused with the number of its points.")
    func undated() {
        let error = #expect(throws: DriveError.self) {
            try read(#"<gpx><trkpt lat="52.3" lon="4.8"/><trkpt lat="52.4" lon="4.8"/></gpx>"#)
        }
        #expect(error?.description.hasPrefix("drive.gpx: none of its 2 points has a time, ") == true)
    }

    @Test("Points without a time or a position, and values that are not numbers, are left out.")
    func incomplete() throws {
        let drive = try read(
            """
            <gpx><trkpt lat="52.3" lon="4.8"/><trkpt lat="52.3"><time>2025-10-09T08:53:19Z</time></trkpt>
            <trkpt lat="52.3" lon="4.8"><ele>high</ele><speed>nan</speed><time>2025-10-09T08:53:20Z</time></trkpt></gpx>
            """)
        #expect(drive.fixes.count == 1)
        #expect(drive.fixes.first?.value.altitude == nil && drive.fixes.first?.value.speed == nil)
    }

    @Test(
        "A document that is not well-formed is refused with the line and the cause.",
        arguments: [
            ("", 1, "no element found"),
            ("<gpx>\n\(point)\n<trkpt lat=", 3, "unclosed token"),
            ("<gpx>\n\(point)\n", 3, "no element found"),
            ("<gpx>\n<trk>\n</gpx>", 3, "mismatched tag"),
            ("<gpx>&degrees;</gpx>", 1, "undefined entity"),
            ("<gpx></gpx>\n\n<gpx/>", 3, "junk after document element"),
            ("lat,lon\n52,4\n", 1, "syntax error"),
            ("<gpx>\u{0}</gpx>", 1, "not well-formed"),
            (#"<?xml version="1.0" encoding="EBCDIC-DE"?><gpx/>"#, 1, "unknown encoding"),
        ])
    func malformed(text: String, line: Int, cause: String) {
        let error = #expect(throws: DriveError.self) { try read(text) }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("drive.gpx:\(line): the XML is damaged or cut off at column "), "\(words)")
        #expect(words.contains(cause), "\(words)")
    }

    @Test("A document that declares an entity is refused before the entity can multiply.")
    func entities() {
        let laughs = (1...9).map { #"<!ENTITY l\#($0) "\#(String(repeating: "&l\($0 - 1);", count: 10))">"# }
        let text =
            #"<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY l0 "ha">"# + "\n\(laughs.joined())]>"
            + "<gpx><trkpt lat=\"52\" lon=\"4\"><time>&l9;</time></trkpt></gpx>"
        let error = #expect(throws: DriveError.self) { try read(text) }
        #expect(error?.description.contains("it declares an entity") == true)
    }

    @Test("A well-formed document of another kind, or without points, is refused.")
    func otherKind() {
        let error = #expect(throws: DriveError.self) { try read("<kml></kml>") }
        #expect(error?.description == "drive.gpx:1: the file has no `gpx` element.")
        #expect(throws: DriveError.empty(file: "drive.gpx")) { try read("<gpx></gpx>") }
    }

    @Test(
        "Files in one-byte encodings are read, since numbers and dates are ASCII in each of them.",
        arguments: ["ISO-8859-1", "ISO-8859-15", "windows-1252", "US-ASCII"])
    func encodings(name: String) throws {
        let letter: [UInt8] = name == "US-ASCII" ? [0x65] : [0xE9]
        let head = #"<?xml version="1.0" encoding="\#(name)"?><gpx><name>"#
        let bytes = Array(head.utf8) + letter + Array("</name>\(Self.point)</gpx>".utf8)
        #expect(try GPXDrive.read(bytes, file: "drive.gpx").fixes.count == 1)
    }

    @Test("A GPX file of several megabytes is read to its end.")
    func large() throws {
        let last = #"<trkpt lat="52.3" lon="4.8"><time>2025-10-09T08:54:20Z</time></trkpt>"#
        let text = "<gpx>" + String(repeating: Self.point, count: 40_000) + last + "</gpx>"
        let fixes = try read(text).fixes
        #expect(fixes.count == 40_001 && fixes.last?.time == .seconds(60))
    }
}
