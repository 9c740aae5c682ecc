import Foundation
import GRDB
import Quantities
import Store
import Tracking

extension ClockReading {
    /// `second` is the time since the boot; by default, the clock is set.
    static func sample(
        at second: Double = 0, time: Timestamp = Timestamp(milliseconds: 1_767_225_600_000), isTrusted: Bool = true,
        boot: String = "first"
    ) -> ClockReading {
        ClockReading(boot: boot, now: Instant(seconds: second), time: time, isTrusted: isTrusted)
    }
}

extension RecordQueue {
    /// Corrects the times of records from before this instant, with a reading of the right time.
    func correct(before: Instant, at reading: ClockReading) -> Bool {
        correctTimestamps(
            ClockCorrection(boot: reading.boot, before: before, bootTime: reading.bootTime), at: reading.now)
    }

    /// Tends the queue until its threads have done their work, or ten minutes have passed; returns all reports.
    ///
    /// The threads ring the queue's alarm, but only the daemon knows its descriptor, so this function polls.
    @discardableResult
    func tend(at reading: ClockReading, until isDone: ([QueueDisk.Report]) -> Bool) throws -> [QueueDisk.Report] {
        let deadline = ContinuousClock.now + .seconds(600)
        var reports = try tend(at: reading).reports
        while !isDone(reports), ContinuousClock.now < deadline {
            usleep(500)
            reports += try tend(at: reading).reports
        }
        return reports
    }
}

extension QueueDisk.Report {
    var isSalvage: Bool { if case .salvaged = self { true } else { false } }
}

/// The folder exists only as long as this object.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("trackerd-test-\(UUID().uuidString)")
        path = url.path
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/trackerd.sqlite" }

    /// Changes the database as another program would.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: database)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
