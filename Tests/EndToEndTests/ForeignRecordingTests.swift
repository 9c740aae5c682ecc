import Foundation
import Peers
import Testing

@Suite("Replays of other people's recordings")
struct ForeignRecordingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns a track of ten minutes at 15 m/s, with one point per second; the track begins at the day and hour
    /// `start`.
    private func track(_ start: String, from metre: Int = 0, clock: (Int) -> Int = { $0 }) -> String {
        let points = (0..<600).map { index in
            let second = clock(index)
            let time = "\(start):\(String(format: "%02d:%02d", second / 60, second % 60))Z"
            let longitude = 4.8897 + (Double(second) + Double(metre) / 15) * 0.00022
            return #"<trkpt lat="52.374" lon="\#(longitude)"><time>\#(time)</time></trkpt>"#
        }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private func summary(of name: String) throws -> [String: Any] {
        let (text, errors, status) = try Daemon.output(["replay", "\(scratch.path)/\(name)", "--summary"])
        #expect(status == 0 && errors.isEmpty, "\(errors)")
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test(
        "A replay uses the dates of a recording of any year as the present.", arguments: ["2009", "2015", "2025"])
    func old(year: String) throws {
        try scratch.write(track("\(year)-06-02T08"), to: "old.gpx")
        let summary = try summary(of: "old.gpx")
        #expect(summary["trips"] as? Int == 1)
        #expect((8500...9100).contains(try #require(summary["distance_m"] as? Double)))
        let (text, _, _) = try Daemon.output(["replay", scratch.path + "/old.gpx"])
        #expect(text.contains(#""time":"\#(year)-06-02T08:0"#))
    }

    @Test("A replay of an exported track in another order equals the replay of the sorted track.")
    func unsorted() throws {
        try scratch.write(track("2025-06-02T08"), to: "sorted.gpx")
        // Within each minute, the newest point is first, as in an export after an outage.
        try scratch.write(track("2025-06-02T08") { $0 / 60 * 60 + 59 - $0 % 60 }, to: "unsorted.gpx")
        #expect(
            try NSDictionary(dictionary: summary(of: "sorted.gpx"))
                == NSDictionary(dictionary: summary(of: "unsorted.gpx")))
    }

    @Test("A replay of a folder contains both drives in the folder.")
    func folder() throws {
        try FileManager.default.createDirectory(atPath: scratch.path + "/days", withIntermediateDirectories: false)
        try scratch.write(track("2025-06-02T08"), to: "days/a.gpx")
        try scratch.write(track("2025-06-03T08", from: 9000), to: "days/b.gpx")
        let summary = try summary(of: "days")
        #expect((17_000...18_200).contains(try #require(summary["distance_m"] as? Double)))
        #expect((summary["refused"] as? [String: Int])?["jump"] == nil)
    }

    @Test("A replay in which no fix is usable fails and names the reasons.")
    func unused() throws {
        let lines = (0..<30).map { #"{"class":"TPV","mode":3,"time":"2025-06-02T08:00:\#(10 + $0)Z","lat":0,"lon":0}"# }
        try scratch.write(lines.joined(separator: "\n"), to: "zero.json")
        let (_, errors, status) = try Daemon.output(["replay", scratch.path + "/zero.json", "--summary"])
        #expect(
            status != 0 && errors.contains("trackerd used no fix of the drive (") && errors.contains(" nullIsland)"),
            "\(errors)")
    }

    @Test(
        "A replay reads the log of a receiver by means of gpsd's decoder.",
        .enabled(if: Child.find("gpsdecode") != nil, "not installed: gpsdecode of gpsd-clients"))
    func nmea() throws {
        let log = Daemon.root.path + "/Tests/DevicesTests/Fixtures/drive.nmea"
        let (text, errors, status) = try Daemon.output(["replay", log])
        #expect(status == 0 && errors.isEmpty && text.contains(#""time":"2019-05-21T19:3"#))
    }
}
