import Foundation
import Peers
import Testing

@Suite("`replay --config`")
struct ReplayConfigurationTests {
    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path + "/drive", withIntermediateDirectories: true)
        try scratch.write(Self.drive, to: "drive/drive.csv")
        try scratch.write(Self.sightings, to: "drive/beacons.csv")
    }

    @Test("A replay uses the regions and beacons of the configuration, even without `beacons: true`.")
    func places() throws {
        let lines = try replay(
            """
            device: van1
            regions:
              - {name: Trailer, beacon: {uuid: \(Self.uuid), major: 7}}
              - {name: Depot, latitude: 52.52, longitude: 13.4, radius: 100}
            beacons: [{uuid: \(Self.uuid), major: 1, name: van1, role: vehicle}]
            """)
        let transitions = lines.compactMap { $0["payload"] as? [String: Any] }.filter { $0["trigger"] != nil }
        let beacon = transitions.filter { $0["trigger"] as? String == "beacon" }
        #expect(beacon.map { $0["direction"] as? String } == ["enter", "leave"])
        #expect(beacon.map { $0["rssi_dbm"] as? Double } == [-70, nil])
        #expect(beacon.map { $0["proximity"] as? String } == ["unknown", nil])
        let area = transitions.filter { $0["trigger"] as? String == "area" }
        #expect(area.map { $0["direction"] as? String } == ["enter", "leave"])
        #expect(lines.contains { $0["vehicle"] as? String == "van1" })
    }

    @Test("With `beacons: false` a replay receives no beacon, and `config check` names the line.")
    func forbidden() throws {
        func configuration(_ isScanning: Bool) -> String {
            """
            device: van1
            beacons: [{uuid: \(Self.uuid), major: 1, name: van1, role: vehicle}]
            tracking:
              beacons: \(isScanning)
            """
        }
        #expect(try replay(configuration(true)).contains { $0["vehicle"] as? String == "van1" })
        #expect(try !replay(configuration(false)).contains { $0["vehicle"] != nil })
        let (text, _, status) = try Daemon.output(["config", "check", scratch.path + "/config.yaml"])
        #expect(status == 0)
        #expect(text.contains("config.yaml:4: `beacons: false` switches scanning off"))
    }

    @Test(
        "A replay uses the configured time zone for a schedule.", arguments: [("UTC", 0), ("Asia/Tokyo", 1)])
    func zone(name: String, trips: Int) throws {
        // Recordings begin at 00:00 UTC, which is 09:00 in Tokyo.
        let lines = try replay(
            """
            device: van1
            timeZone: \(name)
            tracking: {startTime: "08:00", endTime: "18:00"}
            """)
        #expect(lines.last?["trips"] as? Int == trips)
    }

    private func replay(_ configuration: String) throws -> [[String: Any]] {
        try scratch.write(configuration, to: "config.yaml")
        let (text, errors, status) = try Daemon.output(
            ["replay", scratch.path + "/drive", "--config", scratch.path + "/config.yaml"])
        #expect(status == 0, "\(errors)")
        return try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// A recording with one minute parked, five minutes to the north at 10 m/s, and four minutes parked; the receiver
    /// reports every second.
    private static var drive: String {
        let rows = (0..<600).map { second in
            let driven = min(max(second - 60, 0), 300)
            let latitude = 52.52 + Double(driven) * 10 / 111_200
            let speed = (60..<360).contains(second) ? 10 : 0
            return "\(second),\(latitude),13.4,\(speed),4"
        }
        return "t_s,lat,lon,speed_mps,hacc_m\n" + rows.joined(separator: "\n") + "\n"
    }

    /// Sightings of the vehicle's beacon from 100 s to 400 s, and of the trailer's beacon from 100 s to 200 s.
    private static var sightings: String {
        let rows = (100..<400).flatMap { second in
            ["\(second).1,\(uuid),1,1,-60"]
                + (second < 200 ? ["\(second).2,\(uuid),7,1,-70"] : [])
        }
        return "t_s,uuid,major,minor,rssi\n" + rows.joined(separator: "\n") + "\n"
    }
}
