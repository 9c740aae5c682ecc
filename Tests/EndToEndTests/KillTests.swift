import Foundation
import Peers
import Quantities
import Testing
import Tracking

@Suite("Power cuts")
struct KillTests {
    @Test(
        "Twenty power cuts neither lose nor duplicate records that were on disk, and the servers get all records.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"))
    func manyKills() throws {
        let bench = try TestBench()
        try bench.startServers()
        // `make torture` kills the program a thousand times.
        for _ in 0..<20 {
            // The replay of this drive of an hour and a half takes about a minute. On average, the test kills the program after
            // a second, which is one and a half minutes of the drive.
            let daemon = try bench.startDaemon(drive: "2023-08-09_12-47-42.csv.gz", speed: 90)
            usleep(.random(in: 50_000...2_000_000))
            daemon.kill()
            let promised = Self.lastSequenceOnDisk(daemon.logged)
            // A program that is killed before its queue exists has promised no record.
            #expect(try promised == 0 || bench.stored().last?.sequence ?? 0 >= promised)
        }
        let daemon = try bench.startDaemon(drive: "2023-08-09_12-47-42.csv.gz", speed: 90)
        #expect(eventually { daemon.logged.contains("Started") })
        let stored = try settled(bench)
        #expect(daemon.end() == 0)
        check(stored)
        let placed = Set(stored.filter { $0.isExpressibleInOwnTracks }.map(\.uuid))
        #expect(Set(bench.atRecorder).isSuperset(of: placed))
        #expect(Set(bench.atBroker).isSuperset(of: placed))
        // The drive continued after the test read the database.
        let all = Set(try bench.stored().map(\.uuid))
        #expect(Set(bench.atArchive).isSuperset(of: stored.map(\.uuid)) && Set(bench.atArchive).isSubset(of: all))
        #expect(stored.count > 50)
    }

    /// Waits until each server has all records that its format can express, and the tracker adds no record for a moment.
    ///
    /// Returns the records in the database.
    private func settled(_ bench: TestBench) throws -> [StoredRecord] {
        var stored: [StoredRecord] = []
        _ = eventually {
            let now = (try? bench.stored()) ?? []
            defer { stored = now }
            let uuids = Set(now.map(\.uuid))
            return now.count == stored.count && !now.isEmpty && Set(bench.atArchive) == uuids
                && Set(bench.atBroker).count >= now.count { $0.isExpressibleInOwnTracks }
                && Set(bench.atRecorder).count >= now.count { $0.isExpressibleInOwnTracks }
        }
        return stored
    }

    private func check(_ stored: [StoredRecord]) {
        #expect(stored.map(\.sequence) == Array(1...Int64(stored.count)))
        #expect(Set(stored.map(\.uuid)).count == stored.count)
        let moments = stored.map { "\($0.record.kind) \($0.record.isMoving) \($0.record.time)" }
        #expect(Set(moments).count == moments.count)
        // A parked vehicle that a run finds elsewhere gets a new place, without a trip: each run begins where the drive began.
        let changes = stored.map(\.record).filter { $0.kind == .motionchange && ($0.isMoving || $0.trip != nil) }
        let places = stored.map(\.record).filter { $0.kind == .motionchange && !$0.isMoving }
        for (earlier, later) in zip(places, places.dropFirst()) where later.trip == nil {
            #expect(earlier.position?.coordinate != later.position?.coordinate)
        }
        for (earlier, later) in zip(changes, changes.dropFirst()) {
            #expect(earlier.isMoving != later.isMoving)
            #expect((later.trip ?? 0) == (earlier.trip ?? 0) + (later.isMoving ? 1 : 0))
            #expect(later.odometer >= earlier.odometer)
        }
        let departures = Dictionary(grouping: changes.filter(\.isMoving)) { $0.trip ?? 0 }
        for location in stored.map(\.record) where location.kind == .location {
            // A departure has the time of the clock, and a location has the time of its fix. At this replay speed, the two times
            // may differ by a minute.
            let departure = departures[location.trip ?? 0]?.first
            #expect(departure.map { location.time >= $0.time - .seconds(60) } ?? false)
        }
    }

    private static func lastSequenceOnDisk(_ log: String) -> Int64 {
        let line = log.split(separator: "\n").last { $0.contains("on disk sequence=") }
        return line.flatMap { $0.split(separator: "=").last }.flatMap { Int64($0) } ?? 0
    }
}
