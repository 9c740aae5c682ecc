import Peers
import Testing
import Tracking

@Suite("A drive without any server")
struct OutageTests {
    @Test(
        "After a drive without any server, the newest place arrives first, then the rest in order.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
    func outage() throws {
        let bench = try TestBench()
        let first = try bench.startDaemon(drive: "sample_trip.csv.gz", speed: 60)
        #expect(eventually { first.logged.contains("Arrived: ") })
        #expect(first.end() == 0)
        let stored = try bench.stored()
        let all = stored.map(\.uuid)
        let placed = stored.filter { $0.isExpressibleInOwnTracks }.map(\.uuid)
        #expect(placed.count > 10)
        #expect(first.logged.contains("recorder: uploads are failing"))

        try bench.startServers()
        let second = try bench.startDaemon(drive: "sample_trip.csv.gz", speed: 60)
        #expect(
            eventually {
                bench.atArchive.count > all.count && bench.atRecorder.count >= placed.count
                    && bench.atBroker.count >= placed.count
            })
        #expect(second.end() == 0)
        // The record of the second start has no position, so the program does not send this record first.
        for (arrived, expected) in [(bench.atArchive, all), (bench.atRecorder, placed), (bench.atBroker, placed)] {
            let newest = placed.suffix(1)
            #expect(arrived.filter { expected.contains($0) } == newest + expected.filter { !newest.contains($0) })
        }
        #expect(bench.broker.messages.filter { $0.topic == "owntracks/trackerd/van1" }.map(\.retain).first == true)
        #expect(bench.broker.messages.count { $0.retain } == 1)
    }

    @Test(
        "After an outage of two servers, the one with `replay: all` receives the missed records, and the one with `replay: none` does not.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func replay() throws {
        let (map, archive) = (try WebServer(), try WebServer())
        let vehicle = try Vehicle(targets: [
            "{name: map, url: \"\(map.url)\", format: geojson, replay: none}",
            "{name: archive, url: \"\(archive.url)\", format: geojson, replay: all}",
        ])
        let servers = [("map", map), ("archive", archive)]
        for (_, server) in servers { try server.start() }
        // The drive must last until ten records are missed, also on a busy machine.
        let daemon = try vehicle.start(speed: 5)
        #expect(eventually { servers.allSatisfy { !$1.bodies.isEmpty } })
        for (_, server) in servers { server.stop() }
        #expect(eventually { servers.allSatisfy { daemon.logged.contains("\($0.0): uploads are failing (") } })
        let before = vehicle.stored.count
        #expect(eventually { vehicle.stored.count > before + 10 })
        let missed = vehicle.stored.dropFirst(before).map(\.uuid)
        for (_, server) in servers { try server.start() }
        #expect(eventually { servers.allSatisfy { daemon.logged.contains("\($0.0): uploads recovered") } })
        // The waypoint is a record from after the outage, even if the drive is already over; both targets receive it.
        let waypoint = ["waypoint", "set", "Later", "--at", "52.6,13.6", "--config", vehicle.config]
        #expect(try Daemon.output(waypoint).status == 0)
        #expect(eventually { servers.allSatisfy { $1.bodies.joined().contains("Later") } })
        #expect(eventually { missed.allSatisfy { archive.bodies.joined().contains($0) } })
        // The newest of the missed records arrives whatever `replay` is.
        let text = map.bodies.joined()
        #expect(missed.dropLast().filter { text.contains($0) } == [])
        let reports = vehicle.logged.filter { $0.contains(" on the device, because `replay` excludes them") }
        #expect(!reports.isEmpty && reports.allSatisfy { $0.contains(" map: ") }, "\(reports)")
        #expect(daemon.endInTime() == 0)
    }
}
