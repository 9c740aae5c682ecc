import Foundation
import Peers
import Testing

@Suite(
    "A record that was sent before the time was known",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct SentBytesTests {
    @Test(
        "A record that was sent with an unknown time is sent again with the same bytes after a fix has set the time."
    )
    func sameBytes() throws {
        let scratch = try Scratch()
        let server = try WebServer()
        try server.start()
        // The server accepts each request, but the answer is lost.
        try server.behave(.cut)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite", commitInterval: 0}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: home, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0}
            """, to: "config.yaml")
        // The test pretends to begin 20 minutes after boot, because the program delays records of unknown time in the first
        // 15 minutes.
        let began = Date().timeIntervalSince1970 - 1200
        let report = ScriptedGpsd.Report(latitude: 41.6625, longitude: -91.5379)
        let gpsd = try ScriptedGpsd([report], every: 1.5, began: began, epoch: 1_767_225_600, speed: 1)
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz",
                "--clock-unset",
                "--began", "\(began)", "--gpsd", "127.0.0.1:\(gpsd.port)", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        let before = { Self.records(in: server.bodies).filter { $0.time.hasPrefix("1970-") } }
        #expect(eventually { !before().isEmpty })
        #expect(eventually { daemon.logged.contains("trackerd now knows the time") || gpsd.sent > 4 })
        try server.behave(.good)
        #expect(try Daemon.output(["locate", "--config", scratch.path + "/config.yaml"]).status == 0)
        #expect(eventually { Self.records(in: server.bodies).contains { $0.time.hasPrefix("2026-") } })
        // A later record contains the correction for the times of the records that the program has sent.
        let correction = { server.bodies.compactMap { Self.shift(in: $0) }.first }
        #expect(eventually { correction() != nil })
        #expect(daemon.end() == 0)
        let shift = try #require(correction())
        #expect(abs(shift - 1_767_225_600) < 86_400, "from 1970 to 2026")

        let all = Self.records(in: server.bodies)
        for record in before() {
            let copies = all.filter { $0.uuid == record.uuid }
            #expect(Set(copies.map(\.bytes)).count == 1, "\(record.uuid)")
        }
        #expect(before().contains { record in all.count { $0.uuid == record.uuid } > 1 })
    }

    /// Returns the time shift in a record that corrects the times of records sent earlier.
    private static func shift(in body: String) -> Double? {
        let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
        let payloads = (object?["features"] as? [[String: Any]] ?? []).compactMap { feature in
            (feature["properties"] as? [String: Any])?["payload"] as? [String: Any]
        }
        let report = payloads.first { $0["change"] as? String == "sentTimesWrong" }
        return (report?["correction"] as? [String: Any])?["shift_s"] as? Double
    }

    private struct Record {
        let uuid: String
        let time: String
        let bytes: String
    }

    private static func records(in bodies: [String]) -> [Record] {
        bodies.flatMap { body -> [Record] in
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            return (object?["features"] as? [[String: Any]] ?? []).compactMap { feature in
                guard let properties = feature["properties"] as? [String: Any],
                    let uuid = properties["uuid"] as? String,
                    let time = properties["time"] as? String,
                    let bytes = try? JSONSerialization.data(withJSONObject: feature, options: .sortedKeys)
                else { return nil }
                return Record(uuid: uuid, time: time, bytes: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
