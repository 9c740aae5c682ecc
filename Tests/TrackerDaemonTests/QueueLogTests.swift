import Foundation
import GRDB
import Hardware
import Logging
import Peers
import Quantities
import Store
import Synchronization
import Testing
import Tracking

@testable import TrackerDaemon

@Suite("The log of the queue")
struct QueueLogTests {
    private let scratch: Scratch
    private let queue: RecordQueue
    private let lines = LogLines()
    private var database: String { scratch.path + "/t.sqlite" }

    init() throws {
        scratch = try Scratch()
        queue = try RecordQueue(path: scratch.path + "/t.sqlite")
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: database).write { try $0.execute(sql: sql) }
    }

    /// The disk refuses records until memory is full and `excess` more have come; then it works again.
    private func fail(
        _ performer: inout EffectPerformer, _ writer: QueueWriter, excess: Int, from second: Int
    ) throws -> [Event] {
        try execute("CREATE TRIGGER away BEFORE INSERT ON record BEGIN SELECT RAISE(FAIL, 'the disk is away'); END")
        let count = RecordQueue.mostWaiting + excess
        for number in 0..<count {
            let record = Tracking.Record(
                .location, time: Timestamp(milliseconds: 1_767_225_600_000), isTimeTrusted: true, position: nil,
                isMoving: true, odometer: .zero, trip: 1)
            let now = Instant(seconds: Double(second) + Double(number) / 100)
            _ = performer.perform(.record(record), state: EngineState(), at: now)
            performer.settle(at: now)
        }
        try execute("DROP TRIGGER away")
        let end = Instant(seconds: Double(second) + 1000)
        let isFlushed = performer.flushIfDue(at: end)
        #expect(isFlushed)
        _ = writer.tend(hasRung: true, at: end)
        return performer.takeReports()
    }

    @Test("A deleted file is noticed after ten seconds, or at once after an alarm.", arguments: [false, true])
    func noticed(hasRung: Bool) throws {
        let writer = QueueWriter(queue, boot: "boot", log: Logger(label: "test"), uploads: UploadHandle())
        _ = writer.tend(hasRung: false, at: Instant(seconds: 100))
        try FileManager.default.removeItem(atPath: database)
        _ = writer.tend(hasRung: hasRung, at: Instant(seconds: 109))
        #expect(writer.deadline == (hasRung ? .boot : nil))
        _ = writer.tend(hasRung: false, at: Instant(seconds: 110))
        #expect(writer.deadline == .boot)
    }

    @Test("After each failure of the disk, the log states the records that this failure cost.")
    func memory() throws {
        let log = Logger(label: "test") { [lines] _ in LineHandler(lines: lines) }
        let writer = QueueWriter(queue, boot: "boot", log: log, uploads: UploadHandle())
        var performer = EffectPerformer(
            devices: .init(receiver: MuteReceiver(), motionSensor: nil), writer: writer, uploads: UploadHandle(),
            log: log)
        for (round, excess) in [7, 0, 2].enumerated() {
            lines.clear()
            let events = try fail(&performer, writer, excess: excess, from: 10_000 * (round + 1))
            #expect(lines.matching("The queue is on disk again.").count == 1)
            #expect(lines.matching("has reached its limit (10000 records)").count == (excess == 0 ? 0 : 1))
            let counts = "locations removed by thinning to 10 m: 0, other locations: \(excess), events: 0"
            #expect(
                lines.matching("trackerd removed")
                    == (excess == 0
                        ? []
                        : [
                            "warning: trackerd removed \(excess) undelivered records, because the queue in memory reached its "
                                + "limit while the disk accepted no records (\(counts)). Correct the fault of the disk that the log reports."
                        ]))
            let removals = events.compactMap { event -> String? in
                guard case .health(let report) = event, report.change == .recordsRemoved else { return nil }
                return report.reason
            }
            #expect(
                removals
                    == (excess == 0
                        ? [] : ["the queue in memory reached its limit while the disk accepted no records; \(counts)"]))
        }
    }

    @Test("An exchanged database and missing records are events for the engine; a whole salvage is none.")
    func reports() {
        #expect(QueueDisk.Report.exchanged(path: "/a").event == .health(HealthReport(.databaseExchanged)))
        #expect(QueueDisk.Report.salvaged(path: "/a", records: 7, missing: 0).event == nil)
        #expect(
            QueueDisk.Report.salvaged(path: "/a", records: 7, missing: 2).event
                == .health(
                    HealthReport(
                        .recordsMissing,
                        reason: "copied records: 7, other records, which are unreadable or were removed earlier: 2")))
    }
}

private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func clear() { lines.withLock { $0 = [] } }
    func matching(_ words: String) -> [String] { lines.withLock { $0.filter { $0.contains(words) } } }
}

private struct LineHandler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.level): \(event.message)") }
}

private final class MuteReceiver: Receiver {
    let name = "receiver"
    let wait = Wait()

    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(at now: Instant) -> [Event] { [] }
}
