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
}
