import Foundation
import Peers
import Testing
import Tracking

@Suite(
    "The order of arriving records",
    .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
struct OrderTests {
    @Test(
        "Without faults, records arrive in the order of their recording, even if several wait for an upload.")
    func normal() throws {
        let bench = try TestBench(tracking: "{desiredSyncInterval: 1}")
        try bench.startServers()
        let daemon = try bench.startDaemon(drive: "2023-08-09_12-47-42.csv.gz", speed: 200)
        #expect(
            eventually { bench.atRecorder.count >= 60 && bench.atBroker.count >= 60 && bench.atArchive.count >= 60 })
        #expect(daemon.end() == 0)
        let numbers = try bench.numbers()
        for arrived in [bench.atRecorder, bench.atBroker, bench.atArchive] {
            let sequences = arrived.compactMap { numbers[$0] }
            #expect(sequences.count == arrived.count)
            #expect(sequences == Set(sequences).sorted())
        }
        #expect(bench.archive.bodies.count < bench.atArchive.count / 2, "several went in one round")
    }

    @Test("After an outage the newest place arrives first, then the rest in order.")
    func outage() throws {
        let bench = try TestBench(tracking: "{desiredSyncInterval: 0}")
        let daemon = try bench.startDaemon(drive: "sample_trip.csv.gz", speed: 90)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(daemon.logged.contains("recorder: uploads are failing"))
        try bench.startServers()
        let placed = try bench.stored().filter { $0.isExpressibleInOwnTracks && $0.record.kind != .waypoint }
        #expect(
            eventually { bench.atRecorder.count >= placed.count && bench.atBroker.count >= placed.count })
        #expect(daemon.end() == 0)
        let numbers = try bench.numbers()
        for arrived in [bench.atRecorder, bench.atBroker] {
            let sequences = arrived.compactMap { numbers[$0] }
            let first = try #require(sequences.first)
            #expect(first >= placed.map(\.sequence).max() ?? 0)
            #expect(
                Array(sequences.dropFirst().prefix(placed.count - 1)) == placed.map(\.sequence).filter { $0 != first })
        }
    }
}

extension TestBench {
    /// Returns the sequence numbers of the records, by UUID.
    fileprivate func numbers() throws -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: try stored().map { ($0.uuid, $0.sequence) })
    }
}
