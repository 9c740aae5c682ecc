import Foundation
import GRDB
import Peers
import Store
import Testing
import Tracking

/// SQLite reads the newest version of a page from the write-ahead log, so damage to the log is damage to the database.
@Suite(
    "A write-ahead log that is damaged while the tracker runs",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct DamagedLogTests {
    private static let headerSize = 32
    private static let frameSize = 24 + 512

    enum Damage: CaseIterable {
        /// The second half of the log is missing.
        case truncated
        /// One bit of a page with records is wrong.
        case bitFlipped
    }

    private let vehicle: Vehicle
    private let server: WebServer
    private var database: String { vehicle.scratch.path + "/t.sqlite" }

    init() throws {
        server = try WebServer()
        vehicle = try Vehicle(targets: ["{name: archive, url: \"\(server.url)\", format: geojson}"])
    }

    @Test(
        "Every record outside the damage is delivered, and the tracker continues to record and to upload.",
        arguments: Damage.allCases)
    func survives(damage: Damage) throws {
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let daemon = try vehicle.start(speed: 60, ["--drive", drive, "--drive", drive, "--gap", "60"])
        let (survivors, struck) = try strike(damage)
        #expect(survivors.count >= 50 && !struck.isEmpty, "\(survivors.count), \(struck.count)")
        try server.start(denying: false)
        #expect(
            eventually { Set(arrived).isSuperset(of: survivors) },
            "\(survivors.subtracting(arrived)) of \(survivors.count) are missing: \(daemon.logged)")
        #expect(try vehicle.isTracking(), "\(daemon.logged)")
        let last = try #require(vehicle.stored.last?.uuid)
        #expect(eventually { arrived.contains(last) }, "\(daemon.logged)")
        #expect(daemon.endInTime() == 0)
        let verdict = try DatabaseQueue(path: database).read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(verdict == "ok")
        #expect(Set(vehicle.stored.map(\.uuid)).isSuperset(of: survivors))
    }

    /// Damages the log; returns the records on disk outside the damage, and the other records on disk.
    private func strike(_ damage: Damage) throws -> (survivors: Set<String>, struck: Set<String>) {
        #expect(eventually { (try? 400...1500 ~= pages(of: log()).count) == true && vehicle.stored.count >= 150 })
        let onDisk = Set(vehicle.stored.map(\.uuid))
        var intact = try log()
        let frames = pages(of: intact)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database + "-wal"))
        switch damage {
        case .truncated:
            let middle = frames[frames.count / 2]
            try handle.truncate(atOffset: UInt64(middle))
            intact = intact.prefix(middle)
        case .bitFlipped:
            let place = try #require(victim(in: intact, frames))
            // Byte 4 of a page is a part of the number of its cells.
            try handle.seek(toOffset: UInt64(place + 24 + 4))
            try handle.write(contentsOf: Data([intact[place + 24 + 4] ^ 0x40]))
            intact.replaceSubrange(place..<place + Self.frameSize, with: Data(count: Self.frameSize))
        }
        try handle.close()
        intact += try Data(contentsOf: URL(fileURLWithPath: database))
        let survivors = onDisk.filter { uuid in bytes(of: uuid).map { intact.range(of: $0) != nil } ?? false }
        return (survivors, onDisk.subtracting(survivors))
    }

    private func log() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: database + "-wal")) }

    /// Returns the offsets of the frames that SQLite has written since it last restarted the log.
    ///
    /// File format: https://sqlite.org/fileformat2.html, section 4.1. Older frames have other salts.
    private func pages(of log: Data) -> [Int] {
        let places = stride(from: Self.headerSize, through: log.count - Self.frameSize, by: Self.frameSize)
        return Array(places.prefix { log[$0 + 8..<$0 + 16] == log[16..<24] })
    }

    /// Returns the first frame in the second half of the log that contains a record and that no later frame replaces.
    private func victim(in log: Data, _ frames: [Int]) -> Int? {
        let newest = Dictionary(frames.map { (log[$0..<$0 + 4], $0) }) { $1 }
        let uuids = vehicle.stored.map(\.uuid).compactMap(bytes)
        return newest.values.sorted().first { place in
            let page = log[place + 24..<place + Self.frameSize]
            // The first byte 13 marks a leaf of a table.
            return place > frames[frames.count / 2] && page.first == 13 && uuids.contains { page.range(of: $0) != nil }
        }
    }

    /// The database stores a UUID as 16 bytes.
    private func bytes(of uuid: String) -> Data? {
        UUID(uuidString: uuid).map { withUnsafeBytes(of: $0.uuid) { Data($0) } }
    }

    private var arrived: [String] {
        server.bodies.flatMap { body -> [String] in
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            let features = object?["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["uuid"] as? String }
        }
    }
}
