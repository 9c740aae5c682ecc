import Contracts
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("Correction of timestamps")
struct TimestampCorrectionTests {
    private let folder = TemporaryFolder()
    /// The boot time of a board without a clock chip: the time of its last shutdown.
    private static let wrongBoot = Timestamp(milliseconds: 1_760_000_000_000)
    /// The error of the clock, which is a day and a half behind.
    private static let behind = Duration.seconds(129_600)

    private func wrong(at second: Double, boot: String = "first") -> ClockReading {
        .sample(at: second, time: Self.wrongBoot + Duration(inSeconds: second), isTrusted: false, boot: boot)
    }

    private func right(at second: Double) -> ClockReading {
        .sample(at: second, time: Self.wrongBoot + Self.behind + Duration(inSeconds: second))
    }

    private func record(_ content: Tracking.Record.Content, _ time: Timestamp, isTrusted: Bool) -> Tracking.Record {
        Tracking.Record(
            content, time: time, isTimeTrusted: isTrusted, position: nil, isMoving: true, odometer: .zero, trip: 1)
    }

    /// Writes a departure during a boot with a clock that is not set.
    @discardableResult private func depart(_ queue: RecordQueue, at reading: ClockReading) throws -> Bool {
        _ = queue.append(record(.motionchange, reading.time, isTrusted: false), state: EngineState(), at: reading)
        return try queue.settle(at: reading)
    }

    private func delivered() throws -> [StoredRecord] {
        try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 100, excluding: [])
    }

    @Test("Records of unknown time are delivered only after their times are corrected.")
    func corrected() throws {
        let queue = try RecordQueue(path: folder.database)
        #expect(try depart(queue, at: wrong(at: 20)) == false)
        #expect(try delivered() == [])
        #expect(try DeliveryTable(path: folder.database).newest(awaiting: "home") == nil)
        #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50)))
        _ = queue.append(
            record(.location, right(at: 50).time, isTrusted: true), state: EngineState(), at: right(at: 50))
        #expect(try queue.flush(at: right(at: 50)))
        let stored = try delivered()
        #expect(stored.map(\.sequence) == [1, 2])
        #expect(stored.map(\.record.time.milliseconds) == [1_760_129_620_000, 1_760_129_650_000])
        #expect(stored.map(\.created.milliseconds) == [1_760_129_620_000, 1_760_129_650_000])
        #expect(stored.map(\.record.isTimeTrusted) == [true, true])
    }

    @Test("Records that wait in memory are corrected too.")
    func inMemory() throws {
        let queue = try RecordQueue(path: folder.database)
        let start = wrong(at: 20)
        _ = queue.append(record(.location, start.time, isTrusted: false), state: EngineState(), at: start)
        #expect(queue.correct(before: Instant(seconds: 22), at: right(at: 22)))
        #expect(try queue.flush(at: right(at: 22)))
        #expect(try delivered().map(\.record.time.milliseconds) == [1_760_129_620_000])
    }

    @Test("Records of unknown time are delivered fifteen minutes after boot, marked as untrusted.")
    func released() throws {
        let queue = try RecordQueue(path: folder.database)
        try depart(queue, at: wrong(at: 20))
        #expect(queue.flushDeadline == Instant(seconds: 900))
        #expect(try queue.flush(at: wrong(at: 899)) == false)
        #expect(try delivered() == [])
        #expect(try queue.flush(at: wrong(at: 900)))
        #expect(queue.flushDeadline == nil)
        #expect(try delivered().map(\.record.isTimeTrusted) == [false])
        // Later records do not wait. The target may have received both records, so trackerd does not change them later.
        #expect(try depart(queue, at: wrong(at: 1000)))
        #expect(try delivered().count == 2)
        let sent = try delivered()
        #expect(queue.correct(before: Instant(seconds: 2000), at: right(at: 2000)) == false)
        _ = try queue.flush(at: right(at: 2000))
        #expect(try delivered() == sent)
    }

    @Test("Records of unknown time are delivered unchanged after another boot, because no later fix can date them.")
    func otherBoot() throws {
        try depart(try RecordQueue(path: folder.database), at: wrong(at: 20))
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.correct(before: Instant(seconds: 50), at: .sample(at: 50, boot: "second")) == false)
        #expect(try queue.flush(at: .sample(at: 50, boot: "second")))
        let stored = try delivered()
        #expect(stored.map(\.record.time.milliseconds) == [1_760_000_020_000])
        #expect(stored.map(\.record.isTimeTrusted) == [false])
    }

    @Test("A correction changes neither the time of a fix nor times before the boot.")
    func trustedDates() throws {
        let queue = try RecordQueue(path: folder.database)
        let yesterday = Timestamp(milliseconds: 1_759_990_000_000)
        let visit = Visit(arrived: yesterday, departed: wrong(at: 20).time)
        _ = queue.append(
            record(.visit(visit), wrong(at: 20).time, isTrusted: false), state: EngineState(), at: wrong(at: 20))
        // A departure may have the time of the previous boot's last fix, although the clock was wrong then.
        _ = queue.append(record(.motionchange, yesterday, isTrusted: true), state: EngineState(), at: wrong(at: 20))
        #expect(try queue.settle(at: wrong(at: 20)))
        #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50)))
        _ = try queue.flush(at: right(at: 50))
        let stored = try delivered()
        #expect(
            stored.first?.record.content
                == .visit(Visit(arrived: yesterday, departed: Timestamp(milliseconds: 1_760_129_620_000))))
        #expect(stored.last?.record.time == yesterday)
        #expect(stored.map(\.created.milliseconds) == [1_760_129_620_000, 1_760_129_620_000])
    }

    @Test("A repeated correction changes records only once.")
    func twice() throws {
        let queue = try RecordQueue(path: folder.database)
        try depart(queue, at: wrong(at: 20))
        for _ in 0..<2 { #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50))) }
        _ = try queue.flush(at: right(at: 50))
        #expect(try delivered().map(\.record.time.milliseconds) == [1_760_129_620_000])
    }

    @Test("Records are corrected after a restart if the program was killed before the correction was on disk.")
    func killed() throws {
        let first = try RecordQueue(path: folder.database)
        try depart(first, at: wrong(at: 20))
        #expect(first.correct(before: Instant(seconds: 50), at: right(at: 50)))
        // A killed program does not flush. The next run still has the records, and the first fix of that run sets the time.
        let second = try RecordQueue(path: folder.database)
        #expect(second.flushDeadline == .boot)
        #expect(try second.flush(at: wrong(at: 60)) == false)
        #expect(second.flushDeadline == Instant(seconds: 900))
        #expect(try delivered() == [])
        try depart(second, at: wrong(at: 70))
        #expect(second.correct(before: Instant(seconds: 80), at: right(at: 80)))
        _ = try second.flush(at: right(at: 80))
        #expect(try delivered().map(\.record.time.milliseconds) == [1_760_129_620_000, 1_760_129_670_000])
        #expect(try delivered().map(\.record.isTimeTrusted) == [true, true])
    }

    @Test("Each record is corrected by the clock's error at its time, even if the clock was set in between.")
    func severalClocks() throws {
        let queue = try RecordQueue(path: folder.database)
        try depart(queue, at: wrong(at: 20))
        // The user sets the clock to another wrong time.
        try depart(queue, at: .sample(at: 30, time: Timestamp(milliseconds: 1_000_000), isTrusted: false))
        #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50)))
        _ = try queue.flush(at: right(at: 50))
        #expect(try delivered().map(\.record.time.milliseconds) == [1_760_129_620_000, 1_760_129_630_000])
    }

    @Test("A correction without records to correct writes nothing.")
    func none() throws {
        let queue = try RecordQueue(path: folder.database)
        try depart(queue, at: wrong(at: 20))
        _ = queue.append(
            record(.motionchange, right(at: 21).time, isTrusted: true), state: EngineState(), at: right(at: 21))
        _ = try queue.settle(at: right(at: 21))
        #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50)))
        _ = try queue.flush(at: right(at: 50))
        #expect(queue.correct(before: Instant(seconds: 60), at: right(at: 60)) == false)
        #expect(queue.flushDeadline == nil)
    }

    @Test("A failed commit neither loses records nor corrects only some of them.")
    func failing() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in [20.0, 21] { try depart(queue, at: wrong(at: second)) }
        // A trigger prevents SQLite from rewriting the second row.
        try execute(
            "CREATE TRIGGER stop BEFORE UPDATE ON record WHEN OLD.sequence = 2 BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(queue.correct(before: Instant(seconds: 50), at: right(at: 50)))
        #expect(throws: StoreError.self) { try queue.flush(at: right(at: 50)) }
        #expect(try delivered() == [])
        try execute("DROP TRIGGER stop")
        #expect(try queue.flush(at: right(at: 51)))
        #expect(try delivered().map(\.record.time.milliseconds) == [1_760_129_620_000, 1_760_129_621_000])
    }

    @Test("A correction of records on disk is committed after the usual interval even if no record follows.")
    func deadline() throws {
        let queue = try RecordQueue(path: folder.database)
        let wrong = ClockReading.sample(at: 20, time: Timestamp(milliseconds: 1_760_000_000_000), isTrusted: false)
        let departure = Record(
            .motionchange, time: wrong.time, isTimeTrusted: false, position: nil, isMoving: true, odometer: .zero,
            trip: 1)
        _ = queue.append(departure, state: EngineState(), at: wrong)
        _ = try queue.settle(at: wrong)
        let reading = ClockReading.sample(at: 50)
        let correction = ClockCorrection(
            boot: reading.boot, before: Instant(seconds: 50), bootTime: reading.bootTime)
        #expect(queue.correctTimestamps(correction, at: reading.now))
        #expect(queue.flushDeadline == Instant(seconds: 55))
        #expect(try queue.flush(at: .sample(at: 55)))
        #expect(queue.flushDeadline == nil)
        let delivered = try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 9, excluding: [])
        #expect(delivered.map(\.record.isTimeTrusted) == [true])
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: sql) }
    }
}
