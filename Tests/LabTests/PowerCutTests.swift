import Foundation
import Glibc
import Peers
import Quantities
import Store
import Testing
import Tracking

extension InTheLab {
    @Suite("A power cut at each flush of the disk, in ten recorded minutes of driving; in an hour with LONG=1")
    struct PowerCutTests {
        /// The real duration of the drive, which the program replays thirty times as fast.
        private static let drive_s = ProcessInfo.processInfo.environment["LONG"]?.isEmpty == false ? 120.0 : 20

        @Test(
            "A power cut loses no durable record, and the next start continues with the database.",
            arguments: ["0s", "5s"])
        func eachFlush(commitInterval: String) throws {
            let scratch = try Scratch()
            let disk = try LoggedDisk(scratch)
            try drive(on: disk, commitInterval, scratch)
            let whole = try stored(in: disk.folder)
            try disk.remove()

            var (cuts, last) = (0, Int64(0))
            let boundaries = try disk.cutAtEachFlush { folder, mark in
                let promised = mark.flatMap { Int64($0) } ?? 0
                guard FileManager.default.fileExists(atPath: folder + "/t.sqlite") else {
                    #expect(promised == 0)
                    return
                }
                // The test opens the queue as the program does; the queue checks the file, and would replace a damaged file.
                let queue = try RecordQueue(path: folder + "/t.sqlite")
                let found = try stored(in: folder)
                #expect(found.count >= promised, "cut \(cuts): \(found.count) records, \(promised) were durable")
                #expect(found == Array(whole.prefix(found.count)), "cut \(cuts)")
                #expect(found.isEmpty || queue.restoredState != nil, "cut \(cuts)")
                #expect(!FileManager.default.fileExists(atPath: folder + "/t.sqlite.damaged-1"), "cut \(cuts)")
                queue.close()
                (cuts, last) = (cuts + 1, max(last, promised))
            }
            print("power cuts: commitInterval \(commitInterval): \(cuts) of \(boundaries), \(whole.count) records")
            #expect(cuts > 20 && last > 10)
        }

        /// Every 20 ms, marks in the disk's log the last record that the program has reported as durable.
        private func drive(on disk: LoggedDisk, _ commitInterval: String, _ scratch: Scratch) throws {
            let store = "store: {path: \(disk.folder)/t.sqlite, commitInterval: \(commitInterval)}"
            try scratch.write("device: van1\n\(store)\ncontrol: {socket: \(scratch.path)/c}\n", to: "config.yaml")
            let daemon = try LabDaemon(
                [
                    "run", "--board", "sim", "--drive", Lab.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz",
                    "--speed", "30", "--log-level", "debug", "--config", scratch.path + "/config.yaml",
                ], log: scratch.path + "/daemon.log")
            let end = Date() + Self.drive_s
            var marked = ""
            while Date() < end {
                let line = daemon.logged.split(separator: "\n").last { $0.contains("on disk sequence=") }
                if let number = line?.split(separator: "=").last.map(String.init), number != marked {
                    marked = number
                    try disk.mark(number)
                }
                usleep(20_000)
            }
            #expect(daemon.end() == 0)
        }

        private func stored(in folder: String) throws -> [StoredRecord] {
            try DeliveryTable(path: folder + "/t.sqlite").oldest(awaiting: "nobody", limit: 10_000, excluding: [])
        }
    }
}
