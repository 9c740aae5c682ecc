import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("Retention")
struct RetentionTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)
    private static let day = 86_400.0

    /// Returns a reading; a clock that is not set is years ahead.
    private func reading(_ second: Double, isTrusted: Bool = true) -> ClockReading {
        let time = Self.start + Duration(inSeconds: second + (isTrusted ? 0 : 5000 * Self.day))
        return .sample(at: second, time: time, isTrusted: isTrusted)
    }

    /// Writes one event, which causes a commit, and deletes the records that the bounds require.
    private func write(
        _ queue: RecordQueue, at second: Double, _ content: Tracking.Record.Content = .ping, isWithheld: Bool? = nil,
        isTrusted: Bool = true
    ) throws {
        let reading = reading(second, isTrusted: isTrusted)
        var record = Tracking.Record(
            content, time: reading.time, isTimeTrusted: isTrusted, position: nil, isMoving: true, odometer: .zero,
            trip: 1)
        record.isWithheld = isWithheld
        _ = queue.append(record, state: EngineState(), at: reading)
        _ = try queue.settle(at: reading)
    }

    private func kept() throws -> [Int64] {
        try DatabaseQueue(path: folder.database).read { database in
            try Int64.fetchAll(database, sql: "SELECT sequence FROM record ORDER BY sequence")
        }
    }

    private func filled(_ retention: Retention, count: Int = 6) throws -> RecordQueue {
        let queue = try RecordQueue(path: folder.database)
        // Every second record is a plain location.
        for number in 1...count { try write(queue, at: Double(number), number % 2 == 0 ? .location : .ping) }
        _ = try queue.flush(at: reading(Double(count)))
        queue.retention = retention
        return queue
    }

    @Test("Without bounds all records are kept.")
    func unbounded() throws {
        let queue = try filled(Retention(targets: ["home"]))
        try write(queue, at: 5000 * Self.day)
        #expect(try kept() == [1, 2, 3, 4, 5, 6, 7])
        #expect(queue.takeLoss() == nil)
    }

    @Test("Another bound applies from the next commit on, although the hour after the last deletion is not over.")
    func changed() throws {
        let queue = try filled(Retention(records: 4))
        try write(queue, at: 10)
        #expect(try kept().count == 4)
        try write(queue, at: 11)
        #expect(try kept().count == 5)
        queue.retention.records = 2
        try write(queue, at: 12)
        #expect(try kept().count == 2)
    }

    @Test("Beyond `maxRecordsToPersist`, delivered records are deleted first, the oldest before others.")
    func delivered() throws {
        let queue = try filled(Retention(records: 4, targets: ["home", "work"]))
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([2, 4, 5, 6], to: "home")
        try table.markDelivered([1, 2, 3, 4, 5, 6], to: "work")
        try write(queue, at: 4000)
        #expect(try kept() == [1, 3, 6, 7])
        #expect(queue.takeLoss() == .init(delivered: 3))
        #expect(queue.takeLoss() == nil)
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 3, 7])
    }

    @Test("Undelivered records are deleted last, plain locations before events.")
    func undelivered() throws {
        let queue = try filled(Retention(records: 3, targets: ["home"]))
        try DeliveryTable(path: folder.database).markDelivered([1], to: "home")
        try write(queue, at: 4000)
        #expect(try kept() == [3, 5, 7])
        #expect(queue.takeLoss() == .init(delivered: 1, undelivered: 3))
        queue.retention.records = 1
        try write(queue, at: 8000)
        #expect(try kept() == [8])
        #expect(queue.takeLoss() == .init(undelivered: 3))
    }

    @Test("No record is deleted for its age before the time is confirmed, because a few fixes may be wrong by years.")
    func unconfirmed() throws {
        let queue = try filled(Retention(days: 7, targets: ["home"]))
        for (isConfirmed, count) in [(false, 7), (true, 1)] {
            var reading = reading(isConfirmed ? 20 * Self.day : 10 * Self.day)
            reading.isConfirmed = isConfirmed
            _ = queue.append(
                Tracking.Record(
                    .ping, time: reading.time, isTimeTrusted: true, position: nil, isMoving: false, odometer: .zero,
                    trip: nil), state: EngineState(), at: reading)
            _ = try queue.settle(at: reading)
            #expect(try kept().count == count)
        }
    }

    @Test("Without targets, and if withheld, a record counts as delivered.")
    func nobody() throws {
        let queue = try filled(Retention(records: 2), count: 2)
        try write(queue, at: 4000)
        #expect(try kept() == [2, 3])
        #expect(queue.takeLoss() == .init(delivered: 1))
        queue.retention = Retention(records: 2, targets: ["home"])
        try write(queue, at: 4001, isWithheld: true)
        try write(queue, at: 8000)
        #expect(try kept() == [3, 5])
        #expect(queue.takeLoss() == .init(delivered: 1, undelivered: 1))
    }

    @Test("Records older than `maxDaysToPersist` are deleted, delivered or not.")
    func days() throws {
        let queue = try filled(Retention(days: 2, targets: ["home"]), count: 3)
        try DeliveryTable(path: folder.database).markDelivered([1], to: "home")
        try write(queue, at: 2 * Self.day + 2)
        #expect(try kept() == [2, 3, 4])
        try write(queue, at: 2 * Self.day + 4000)
        #expect(try kept() == [4, 5])
        #expect(queue.takeLoss() == .init(delivered: 1, undelivered: 2))
    }

    @Test("A clock that is not set deletes nothing, and records dated by it are deleted with their neighbours.")
    func clock() throws {
        let queue = try filled(Retention(days: 2), count: 1)
        try write(queue, at: 2.5 * Self.day, isTrusted: false)
        #expect(try kept() == [1, 2])
        try write(queue, at: 3 * Self.day)
        #expect(try kept() == [3])
    }

    @Test("The bounds are enforced at most hourly, with a commit that happens anyway.")
    func hourly() throws {
        let queue = try filled(Retention(records: 2), count: 2)
        // The first commit under these bounds enforces them.
        for second in [10, 20, 3600.0] { try write(queue, at: second) }
        #expect(try kept() == [2, 3, 4, 5])
        _ = try queue.flush(at: reading(3700))
        #expect(try kept() == [2, 3, 4, 5])
        try write(queue, at: 3701)
        #expect(try kept() == [5, 6])
    }

    @Test("Many records are deleted over several commits, so that none takes long.")
    func portions() throws {
        let queue = try filled(Retention(records: 10), count: 1)
        let insert = """
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
            INSERT INTO record (sequence, uuid, kind, time_ms, created_ms, body) SELECT i, '', 'location', i, i, '{}' FROM n
            """
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: insert) }
        let next = try RecordQueue(path: folder.database)
        next.retention = queue.retention
        try write(next, at: 1)
        #expect(try kept().count == 5001)
        try write(next, at: 2)
        #expect(try kept().count == 10)
        #expect(next.takeLoss() == .init(delivered: 14_992))
    }

    @Test("No number is used twice, even if all records are deleted.")
    func numbers() throws {
        let queue = try filled(Retention(days: 1), count: 3)
        try write(queue, at: 9 * Self.day)
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: "DELETE FROM record") }
        let next = try RecordQueue(path: folder.database)
        try write(next, at: 9 * Self.day + 1)
        #expect(try kept() == [5])
    }
}
