import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "Records in OwnTracks' modes",
    .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
struct ModeTests {
    private let bench: TestBench

    init() throws {
        bench = try TestBench()
        try bench.startServers()
    }

    @Test(
        "In quiet and manual mode, servers get only requested places, but the stop is on disk.",
        arguments: [("quiet", false), ("quiet", true), ("manual", false), ("manual", true)])
    func unasked(mode: String, isSwitched: Bool) throws {
        try configure(
            tracking: isSwitched
                ? "desiredSyncInterval: 0, stopTimeout: 60"
                : "profile: \(mode), desiredSyncInterval: 0, stopTimeout: 60")
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("Departed: ") })
        if isSwitched {
            #expect(eventually { (status()["odometer_m"] as? Double ?? 0) > 100 })
            #expect(try run("mode", mode).status == 0)
        }
        #expect(try run("locate").status == 0)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(daemon.end() == 0)

        let all = try onDisk()
        let changes = all.map { $0.record.kind == .optionschange }
        let since = isSwitched ? changes.lastIndex(of: true) ?? all.count : 0
        let records = all[since...]
        #expect(records.contains { $0.record.kind == .motionchange && !$0.record.isMoving })
        #expect(records.contains { $0.record.kind == .trip && $0.record.isStop })
        let asked = records.filter { $0.record.kind == .request }.map(\.uuid)
        #expect(asked.count == 1)
        let mine = Set(records.map(\.uuid))
        for arrived in [bench.atArchive, bench.atRecorder, bench.atBroker] {
            #expect(arrived.filter { mine.contains($0) } == asked)
        }
    }

    @Test("After a switch to quiet mode during a trip, the stop is not at the earlier parking place.")
    func place() throws {
        try configure(tracking: "desiredSyncInterval: 0, stopTimeout: 60")
        let daemon = try startDaemon()
        #expect(eventually { (status()["odometer_m"] as? Double ?? 0) > 100 })
        #expect(try run("mode", "quiet").status == 0)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let place = try #require(status()["location"] as? [String: Any])
        #expect(daemon.end() == 0)
        let records = try onDisk().map(\.record)
        let start = try #require(records.compactMap(\.position).first)
        let stop = try #require(records.last { $0.kind == .motionchange && !$0.isMoving }?.position)
        #expect(stop.coordinate.distance(to: start.coordinate) > Metres(50))
        #expect(place["lat"] as? Double == stop.coordinate.latitude)
    }

    private func configure(tracking: String) throws {
        try bench.scratch.write(
            """
            device: van1
            store: {path: "\(bench.scratch.path)/trackerd.sqlite"}
            control: {socket: "\(bench.scratch.path)/control.sock"}
            targets:
              - {name: recorder, url: "\(bench.recorder.url)", format: owntracks}
              - {name: archive, url: "\(bench.archive.url)", format: geojson}
              - {name: broker, url: "\(bench.broker.url)", format: owntracks}
            tracking: {\(tracking)}
            """, to: "config.yaml")
    }

    /// Starts the program; the drive begins with the program, so the program misses no part of it on a busy computer.
    private func startDaemon() throws -> Daemon {
        try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "30",
                "--config", bench.scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: bench.scratch.path + "/log"))
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", bench.scratch.path + "/config.yaml"])
    }

    private func status() -> [String: Any] {
        guard let text = try? run("status", "--json").text else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    /// Returns all records, including records that no server receives.
    private func onDisk() throws -> [StoredRecord] {
        let always = Timestamp(milliseconds: 0)...Timestamp(year: 2100, month: 1, day: 1)
        return try History(path: bench.scratch.path + "/trackerd.sqlite").excerpt(of: always).records
            .sorted { $0.sequence < $1.sequence }
    }
}
