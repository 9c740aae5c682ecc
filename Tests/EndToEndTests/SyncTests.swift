import Foundation
import Peers
import Testing

@Suite("Durable records")
struct SyncTests {
    static let strace = ["/usr/bin/strace", "/bin/strace"].first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        "The program syncs a durable record to the disk before the next effect.",
        .enabled(if: strace != nil, "not installed: strace"), arguments: ["0s", "5s"])
    func synced(commitInterval: String) throws {
        let scratch = try Scratch()
        let store = "store: {path: \"\(scratch.path)/t.sqlite\", commitInterval: \(commitInterval)}"
        // The drive has many points, so the number of commits shows whether the program writes several records in one commit.
        let tracking = "tracking: {distanceFilter: 50, disableElasticity: true}"
        try scratch.write("device: van1\n\(store)\n\(tracking)\n", to: "config.yaml")
        let calls = try trace(scratch)

        var unsynced = 0
        var durable = 0
        for call in calls {
            if call.contains("pwrite64("), call.contains("t.sqlite-wal>") { unsynced += 1 }
            if call.contains("fdatasync("), call.contains("t.sqlite-wal>") { unsynced = 0 }
            guard call.contains("on disk sequence=") else { continue }
            durable += 1
            #expect(unsynced == 0, "after \(durable) commits: \(call)")
        }
        // The program commits at the start, at the departure, during the drive, at the arrival and at the end. The number of
        // commits is larger if each record has its own commit.
        #expect(durable >= (commitInterval == "0s" ? 10 : 5))
    }

    /// Returns the writes and syncs of the program during a drive of three minutes, in order.
    private func trace(_ scratch: Scratch) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.strace))
        process.arguments =
            ["-f", "-y", "-s", "200", "-e", "trace=pwrite64,write,fdatasync,fsync", "-o", scratch.path + "/calls"] + [
                Daemon.program, "run", "--board", "sim", "--drive",
                Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz",
                "--speed", "120", "--exit-at-end", "--log-level", "debug", "--config", scratch.path + "/config.yaml",
            ]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let calls = try String(contentsOfFile: scratch.path + "/calls", encoding: .utf8)
        return calls.split(separator: "\n")
    }
}
