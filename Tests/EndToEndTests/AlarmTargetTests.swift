import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("Targets that receive only alarms")
struct AlarmTargetTests {
    /// A drive that exceeds 25 m/s once for ten seconds, and once for two seconds.
    private static let trip: SyntheticDrive = {
        var drive = SyntheticDrive()
        drive.stand(60)
        drive.drive(60, at: 20)
        drive.drive(10, at: 30)
        drive.drive(60, at: 20)
        drive.drive(2, at: 30)
        drive.drive(60, at: 20)
        drive.stand(600)
        return drive
    }()

    @Test(
        "A target with single events receives exactly these events of a drive, and its other records do not wait.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func events() throws {
        let server = try WebServer()
        try server.start()
        let body = "{kind}.{event} {speed_limit_kmh} {top_speed_kmh}"
        let vehicle = try Vehicle(
            targets: [
                "{name: alarms, url: \"\(server.url)\", format: template, kinds: [driving.overspeed, "
                    + "driving.overspeedEnded, power.started, motionchange.arrived], "
                    + "template: {body: '\(body)', contentType: text/plain}}"
            ],
            tracking: "{desiredSyncInterval: 0, stopTimeout: 60, speedLimit: 25}", drive: Self.trip)
        let daemon = try vehicle.start(speed: 60)
        #expect(eventually { daemon.logged.contains("Arrived: ") }, "\(daemon.logged)")
        #expect(eventually { server.bodies.contains("motionchange.arrived  ") && (try? waiting(vehicle)) == 0 })
        #expect(daemon.endInTime() == 0)
        let stored = vehicle.everything.map(\.record)
        #expect(stored.contains { $0.event == "departed" } && stored.contains { $0.kind == .location })
        let arrivals = stored.count { $0.event == "arrived" }
        #expect(
            server.bodies.sorted()
                == (["driving.overspeed 90 108", "driving.overspeedEnded 90 108", "power.started  "]
                + Array(repeating: "motionchange.arrived  ", count: arrivals)).sorted())
    }

    private func waiting(_ vehicle: Vehicle) throws -> Int? {
        let queue = try JSONSerialization.jsonObject(with: Data(try vehicle.run("queue", "--json").text.utf8))
        let targets = (queue as? [String: Any])?["targets"] as? [[String: Any]]
        return targets?.first?["waiting"] as? Int
    }

    @Test("A recorded drive exceeds 25 m/s three times, and each period has its duration and top speed.")
    func recorded() throws {
        let scratch = try Scratch()
        try scratch.write("device: van1\ntracking: {speedLimit: 25}\n", to: "config.yaml")
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let replay = try Daemon.output(["replay", drive, "--config", scratch.path + "/config.yaml"])
        #expect(replay.status == 0, "\(replay.errors)")
        let payloads = replay.text.split(separator: "\n").filter { $0.contains(#""kind":"driving""#) }
            .compactMap { line -> String? in
                let rest = line.split(separator: #""payload":{"#, maxSplits: 1).last
                return rest?.split(separator: "}").first.map(String.init)
            }
        // The durations and top speeds follow from the column of speeds in the recording.
        #expect(
            payloads.filter { $0.contains("overspeedEnded") }
                == [(38, "30.04"), (48, "28.16"), (218, "34.6")].map {
                    #""event":"overspeedEnded","lasted_s":\#($0),"limit_mps":25,"topSpeed_mps":\#($1)"#
                })
        #expect(payloads.count == 6)
    }

    @Test("The replay of a capture of gpsd shows a jammed receiver from the values `jam` in gpsd's reports.")
    func jammed() throws {
        let scratch = try Scratch()
        let lines = (0..<400).map { second in
            let jam = (200..<290).contains(second) ? 190 : 12
            let longitude = 13.405 + Double(max(0, second - 60)) * 15 / 67_660
            let time = "2026-01-01T00:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
            return """
                {"class":"TPV","device":"/dev/ttyS0","mode":3,"time":"\(time)","lat":52.52,\
                "lon":\(longitude),"speed":\(second < 60 ? 0 : 15),"eph":4,"jam":\(jam)}
                """
        }
        try scratch.write(lines.joined(separator: "\n") + "\n", to: "capture.json")
        let replay = try Daemon.output(["replay", scratch.path + "/capture.json"])
        #expect(replay.status == 0, "\(replay.errors)")
        let states = replay.text.split(separator: "\n").filter { $0.contains(#""kind":"providerchange""#) }
        try #require(states.count == 2, "\(states)")
        #expect(states[0].contains(#""payload":{"jamming":190,"state":"jammed"}"#))
        #expect(states[1].contains(#""payload":{"jamming":12,"state":"jammingEnded"}"#))
    }
}
