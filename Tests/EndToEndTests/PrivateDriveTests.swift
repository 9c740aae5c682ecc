import Foundation
import Peers
import Testing

extension SyntheticDrive {
    fileprivate static let eastwards: SyntheticDrive = {
        var drive = SyntheticDrive()
        drive.stand(60)
        drive.drive(100, at: 15)
        drive.stand(400)
        return drive
    }()
}

@Suite("Private times and places, in a replay")
struct PrivateReplayTests {
    @Test("A drive that ends in a private place leaves records only up to the border of the place.")
    func place() throws {
        let scratch = try Scratch()
        try scratch.write(SyntheticDrive.eastwards.csv, to: "drive.csv")
        try scratch.write(
            """
            device: van1
            regions:
              - {name: Home, latitude: 52.52, longitude: 13.42717, radius: 200, private: true}
            """, to: "config.yaml")
        let drive = try ReplayedDrive(scratch.path + "/drive.csv", "--config", scratch.path + "/config.yaml")
        #expect(drive.states.map(\.name) == ["moving", "stationary"])
        let places = drive.records.compactMap(\.longitude).map { SyntheticDrive.metres(to: $0) }
        #expect(try #require(places.max()) < 1300 && places.contains { $0 > 1200 })
        let kinds = drive.records.map(\.kind)
        let began = try #require(kinds.lastIndex(of: "health"))
        #expect(kinds[..<began].filter { $0 == "trip" }.count == 2)
        #expect(drive.records[began...].allSatisfy { $0.longitude == nil && $0.kind == "health" })
    }

    @Test("In private times, a drive leaves no position.")
    func times() throws {
        let drive = try ReplayedDrive(SyntheticDrive.eastwards, tracking: "{privateTimes: \"2-59 0 * * *\"}")
        #expect(drive.states.map(\.name) == ["moving", "stationary"])
        #expect(drive.records.contains { $0.kind == "location" && $0.made_s < 120 })
        #expect(drive.records.filter { $0.made_s >= 120 }.allSatisfy { $0.longitude == nil || $0.kind == "trip" })
        #expect(drive.records.compactMap(\.longitude).allSatisfy { SyntheticDrive.metres(to: $0) <= 900 })
    }
}

@Suite("A drive that starts in a private place")
struct PrivateDepartureTests {
    @Test("The report and the data of the page show the driving time and the track outside the place.")
    func shown() throws {
        let scratch = try Scratch()
        let folder = scratch.path
        try scratch.write(SyntheticDrive.eastwards.csv, to: "drive.csv")
        try scratch.write(
            """
            device: van1
            timeZone: UTC
            store: {path: "\(folder)/trackerd.sqlite"}
            control: {socket: "\(folder)/control.sock"}
            regions:
              - {name: Home, latitude: 52.52, longitude: 13.405, radius: 200, private: true}
            """, to: "config.yaml")
        let config = folder + "/config.yaml"
        let daemon = try Daemon(
            ["run", "--board", "sim", "--drive", folder + "/drive.csv", "--speed", "60", "--config", config],
            log: URL(fileURLWithPath: folder + "/log"))
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let page = try PageBench(folder)
        let track = try page.get("/api/track?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z")
        #expect(track.contains(#""event":"privacyEnded""#) && track.contains(#""event":"started","kind":"trip""#))
        #expect(track.contains(#""event":"arrived""#) && !track.contains(#""event":"departed""#))
        #expect(try page.get("/states.js").contains("export function statesOf"))
        #expect(daemon.end() == 0)
        for subject in [["--day", "2026-01-01"], ["--trip", "1"]] {
            let report = try Daemon.output(["report"] + subject + ["--config", config]).text
            #expect(report.contains(#"class="track""#) && report.contains("<title>Moving, "), "\(subject)")
            #expect(report.contains("moving 1 min 2") && !report.contains("<dd>0 s</dd>"), "\(subject)")
        }
        let day = try Daemon.output(["report", "--day", "2026-01-01", "--config", config]).text
        #expect(day.contains("<title>Private, ") && day.contains("<dt>Stops</dt><dd>1<"))
    }
}

@Suite(
    "Private periods of the daemon",
    .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
struct PrivateDaemonTests {
    private let bench: TestBench

    init() throws {
        bench = try TestBench()
        try bench.startServers()
        try bench.scratch.write(
            """
            device: van1
            store: {path: "\(bench.scratch.path)/trackerd.sqlite"}
            control: {socket: "\(bench.scratch.path)/control.sock"}
            targets:
              - {name: archive, url: "\(bench.archive.url)", format: geojson}
            regions:
              - {name: Clinic, latitude: 41.663347, longitude: -91.534547, radius: 60, private: true}
            tracking: {desiredSyncInterval: 0, stopTimeout: 60, desiredMovingUpdateInterval: 1}
            """, to: "config.yaml")
    }

    @Test("The server receives no coordinate from a private place, but the odometer continues.")
    func place() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(eventually { bench.archive.bodies.joined().contains("privacyEnded") })
        #expect(daemon.end() == 0)
        let features = bench.archive.bodies.flatMap(Self.features)
        let places = features.compactMap { ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double] }
        #expect(places.count > 20)
        for place in places { #expect(Self.metres(to: place) > 60, "\(place)") }
        #expect(!bench.archive.bodies.joined().contains("Clinic"))
        let odometers = features.compactMap { ($0["properties"] as? [String: Any])?["odometer_m"] as? Double }
        // The drive is 800 m long, and 140 m of it are in the private place.
        #expect(odometers.max() ?? 0 > 700)
    }

    @Test("A private period by command survives a power cut, and `locate` is refused until the command ends it.")
    func command() throws {
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        #expect(try run("private", "on", "--for", "2h").status == 0)
        daemon.kill()
        let again = try startDaemon()
        #expect(eventually { (status()["privacy"] as? [String: Any])?["reasons"] as? [String] == ["command"] })
        #expect(status()["location"] == nil)
        let refusal = try run("locate")
        #expect(refusal.status != 0 && refusal.errors.contains("the position is private now"))
        #expect(try run("private", "off").status == 0)
        // By now, the vehicle may have arrived at the private place.
        let reasons = (status()["privacy"] as? [String: Any])?["reasons"] as? [String]
        #expect(reasons?.contains("command") != true && again.isRunning)
        #expect(again.end() == 0)
        let text = bench.archive.bodies.joined()
        #expect(text.contains("privacyBegan") && text.contains("privacyEnded"))
    }

    private static func features(_ body: String) -> [[String: Any]] {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return object?["features"] as? [[String: Any]] ?? []
    }

    /// Returns the distance of a place, as longitude and latitude, from the centre of the private place.
    private static func metres(to place: [Double]) -> Double {
        let (east, north) = ((place[0] + 91.534547) * 83_170, (place[1] - 41.663347) * 111_070)
        return (east * east + north * north).squareRoot()
    }

    private func startDaemon() throws -> Daemon {
        try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "20", "--config", bench.scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: bench.scratch.path + "/log"))
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", bench.scratch.path + "/config.yaml"])
    }

    private func status() -> [String: Any] {
        guard let text = try? run("status", "--json").text else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
}
