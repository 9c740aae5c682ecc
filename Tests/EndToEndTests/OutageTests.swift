import Peers
import Testing
import Tracking

@Suite("A drive without any server")
struct OutageTests {
    @Test(
        "arrives afterwards, the newest record first, then the rest in order",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
    func newestFirst() throws {
        let bench = try TestBench()
        let first = try bench.startDaemon(drive: "sample_trip.csv.gz", speed: 60)
        #expect(eventually { first.logged.contains("The vehicle is parked.") })
        #expect(first.end() == 0)
        let stored = try bench.stored().map(\.uuid)
        #expect(stored.count > 20)
        #expect(first.logged.contains("recorder: nothing gets through"))

        try bench.startServers()
        let second = try bench.startDaemon(drive: "sample_trip.csv.gz", speed: 60)
        let all = Set(stored)
        #expect(
            eventually {
                Set(bench.atRecorder) == all && Set(bench.atArchive) == all && Set(bench.atBroker) == all
            })
        #expect(second.end() == 0)
        let expected = [stored[stored.count - 1]] + stored.dropLast()
        #expect(bench.atRecorder == expected)
        #expect(bench.atArchive == expected)
        #expect(bench.atBroker == expected)
        #expect(bench.broker.messages.filter { $0.topic == "owntracks/trackerd/van1" }.map(\.retain).first == true)
        #expect(bench.broker.messages.count { $0.retain } == 1)
    }
}
