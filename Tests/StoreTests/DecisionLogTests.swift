import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("The decision log")
struct DecisionLogTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private func reading(_ second: Double) -> ClockReading {
        .sample(at: second, time: Self.start + Duration(inSeconds: second))
    }

    private func history(from first: Double = 0, to last: Double = 1e6) throws -> HistoryExcerpt {
        try History(path: folder.database).excerpt(
            of: Self.start + Duration(inSeconds: first)...Self.start + Duration(inSeconds: last))
    }

    private func record(_ second: Double) -> Tracking.Record {
        Tracking.Record(
            .motionchange, time: reading(second).time, isTimeTrusted: true, position: nil, isMoving: true,
            odometer: .zero, trip: 1)
    }

    /// Writes an event together with the waiting decisions.
    private func commit(_ queue: RecordQueue, at second: Double) throws {
        _ = queue.append(record(second), state: EngineState(), at: reading(second))
        _ = try queue.settle(at: reading(second))
    }

    @Test("Decisions are written with the next record, and cause no commit of their own while parked.")
    func withRecord() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.decisions.note(Decision(.stop, "rested for 180 s"), at: reading(1))
        #expect(queue.flushDeadline == nil)
        #expect(try queue.flush(at: reading(2)) == false)
        #expect(try history().entries == [])
        try commit(queue, at: 60)
        let entries = try history().entries
        #expect(entries.map(\.subject) == ["stop"])
        #expect(entries.map(\.text) == ["rested for 180 s"])
        #expect(entries.map(\.time.milliseconds) == [1_767_225_601_000])
    }

    @Test("Decisions are written when the program ends.")
    func atTheEnd() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.decisions.note(Decision(.stop, "by command"), at: reading(1))
        queue.note(EngineState())
        _ = try queue.flush(at: reading(2))
        #expect(try history().entries.count == 1)
    }

    @Test("Rejected fixes are counted by the minute, without a row for each fix.")
    func refusals() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in 0..<150 {
            queue.decisions.note(.noFix, at: reading(Double(second)))
            if second % 50 == 0 { queue.decisions.note(.jump, at: reading(Double(second))) }
        }
        try commit(queue, at: 200)
        let entries = try history().entries
        #expect(entries.allSatisfy { $0.subject == "refused" })
        #expect(entries.filter { $0.text == "noFix" }.map(\.count) == [60, 60, 30])
        #expect(entries.filter { $0.text == "jump" }.map(\.count) == [2, 1])
    }

    @Test("Each change of state has a row of its own, even if several changes follow each other quickly.")
    func states() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in 0..<3 { queue.decisions.note(isMoving: second != 1, at: reading(Double(second))) }
        try commit(queue, at: 3)
        #expect(try history().entries.map(\.text) == ["moving", "stationary", "moving"])
        let later = try history(from: 1.5)
        #expect(later.initialState?.isMoving == false)
        #expect(later.initialState?.since == reading(1).time)
        #expect(later.entries.map(\.text) == ["moving"])
    }

    @Test("The decision log causes a commit at 500 waiting rows, and never buffers more than 1000 rows.")
    func full() throws {
        let queue = try RecordQueue(path: folder.database)
        for number in 0..<499 { queue.decisions.note(Decision(.beacon, "heard \(number)"), at: reading(1)) }
        #expect(queue.flushDeadline == nil)
        for number in 499..<1200 { queue.decisions.note(Decision(.beacon, "heard \(number)"), at: reading(1)) }
        #expect(queue.flushDeadline == .boot)
        // The commit contains no record for targets.
        #expect(try queue.flush(at: reading(2)) == false)
        #expect(queue.flushDeadline == nil)
        let texts = try history().entries.map(\.text)
        #expect(texts.count == 1000)
        #expect(texts.last == "heard 1199")
    }

    @Test("On disk, the decision log is a ring that deletes its oldest rows.")
    func ring() throws {
        let queue = try RecordQueue(path: folder.database)
        let insert = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
            INSERT INTO decision SELECT i, 'first', i, i, 1, 'start', 'old', 1 FROM n
            """
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: insert) }
        for number in 0..<7 { queue.decisions.note(Decision(.start, "new \(number)"), at: reading(1)) }
        try commit(queue, at: 2)
        let ids = try DatabaseQueue(path: folder.database).read { database in
            try Int.fetchAll(database, sql: "SELECT MIN(id) FROM decision UNION ALL SELECT COUNT(*) FROM decision")
        }
        #expect(ids == [8, 50_000])
    }

    @Test("Waiting decisions survive a failed commit.")
    func failing() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.decisions.note(Decision(.start, "motion"), at: reading(1))
        try execute("CREATE TRIGGER away BEFORE INSERT ON state BEGIN SELECT RAISE(FAIL, 'away'); END")
        #expect(throws: StoreError.self) { try commit(queue, at: 1) }
        try execute("DROP TRIGGER away")
        _ = try queue.flush(at: reading(2))
        #expect(try history().entries.count == 1)
    }

    @Test("Decisions are corrected with the records, in memory and on disk.")
    func corrected() throws {
        let queue = try RecordQueue(path: folder.database)
        let wrong = ClockReading.sample(at: 5, time: Timestamp(milliseconds: 5000), isTrusted: false)
        queue.decisions.note(Decision(.start, "on disk"), at: wrong)
        try commit(queue, at: 6)
        queue.decisions.note(Decision(.start, "in memory"), at: wrong)
        #expect(queue.correct(before: Instant(seconds: 7), at: reading(7)))
        _ = try queue.flush(at: reading(7))
        let entries = try history().entries
        #expect(Set(entries.map(\.text)) == ["on disk", "in memory"])
        #expect(entries.map(\.time.milliseconds) == [1_767_225_605_000, 1_767_225_605_000])
        #expect(entries.map(\.isTimeTrusted) == [true, true])
    }

    @Test("The history reports the span of its data.")
    func known() throws {
        let queue = try RecordQueue(path: folder.database)
        #expect(try history().known == nil)
        queue.decisions.note(Decision(.start, "motion"), at: reading(10))
        try commit(queue, at: 70)
        let known = try history().known
        #expect(known?.lowerBound == reading(10).time)
        #expect(known?.upperBound == reading(70).time)
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: sql) }
    }
}

@Suite("The history reader")
struct HistoryReaderTests {
    @Test("The history reader does not create a missing file.")
    func missing() {
        let folder = TemporaryFolder()
        let error = #expect(throws: StoreError.self) { try History(path: folder.database) }
        #expect(error?.description.contains("cannot be opened") == true)
    }

    @Test("The history reader reads the records of a span while the queue is open for writing.")
    func records() throws {
        let folder = TemporaryFolder()
        let queue = try RecordQueue(path: folder.database)
        for second in 0..<5 {
            let time = Timestamp(milliseconds: 1_767_225_600_000 + Int64(second) * 1000)
            let record = Tracking.Record(
                .motionchange, time: time, isTimeTrusted: true, position: nil, isMoving: true, odometer: .zero, trip: 1)
            _ = queue.append(record, state: EngineState(), at: .sample(time: time))
            _ = try queue.settle(at: .sample(time: time))
        }
        let span = Timestamp(milliseconds: 1_767_225_601_000)...Timestamp(milliseconds: 1_767_225_603_000)
        let history = try History(path: folder.database).excerpt(of: span)
        #expect(history.records.map(\.sequence) == [2, 3, 4])
    }
}
