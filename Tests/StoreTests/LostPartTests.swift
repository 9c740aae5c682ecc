import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("A queue that has lost a part of its file")
struct LostPartTests {
    private let folder = TemporaryFolder()

    private func append(to queue: RecordQueue, at second: Double) -> StoredRecord {
        let reading = ClockReading.sample(at: second)
        let record = Tracking.Record(
            .motionchange, time: reading.time, isTimeTrusted: true, position: nil, isMoving: true,
            odometer: Metres(second), trip: 1)
        var state = EngineState()
        state.logbook.tag = "at \(Int(second))"
        return queue.append(record, state: state, at: reading)
    }

    /// Makes a file with five records, of which a target has received two.
    private func fill() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in 1...5 { _ = append(to: queue, at: Double(second)) }
        _ = try queue.flush(at: .sample(at: 5))
        queue.close()
        try DeliveryTable(path: folder.database).markDelivered([1, 2], to: "home")
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: sql) }
    }

    /// Waits for a report of the thread that repairs the file; returns false if none comes within ten minutes.
    private func reports(_ queue: RecordQueue, at second: Double, _ isExpected: (QueueDisk.Report) -> Bool) throws
        -> Bool
    {
        try queue.tend(at: .sample(at: second)) { $0.contains(where: isExpected) }.contains(where: isExpected)
    }

    /// Waits until the queue has copied the records of a damaged file; returns false if this takes more than ten minutes.
    private func isSalvaged(_ queue: RecordQueue) throws -> Bool {
        try reports(queue, at: 7, \.isSalvage)
    }

    private func awaited(by target: String) throws -> [Int64] {
        try DeliveryTable(path: folder.database).oldest(awaiting: target, limit: 100, excluding: []).map(\.sequence)
    }

    private func damagedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("damaged-2") }
    }

    @Test(
        "A last number that leaves no room for further records is corrected, and so is a cursor of this kind.",
        arguments: [
            "UPDATE progress SET last_sequence = 9223372036854775807",
            """
            UPDATE progress SET last_sequence = 9223372036854775807;
            UPDATE delivery SET cursor = 9223372036854775806
            """,
        ])
    func impossibleNumber(sql: String) throws {
        try fill()
        try execute(sql)
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.restoredState?.state.logbook.tag == "at 5")
        #expect(append(to: queue, at: 6).sequence == 6)
        _ = try queue.flush(at: .sample(at: 6))
        #expect(try isSalvaged(queue))
        let isCursorLost = sql.contains("cursor")
        #expect(try awaited(by: "home") == Array((isCursorLost ? 1 : 3)...6))
        queue.close()
        _ = try RecordQueue(path: folder.database)
        #expect(try damagedFiles() == [])
    }

    @Test(
        "A file without one of its tables is replaced; records, state and cursors are preserved.",
        arguments: ["salvage", "boot"])
    func lostTable(name: String) throws {
        try fill()
        try execute("DROP TABLE \(name)")
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.restoredState?.state.logbook.tag == "at 5")
        #expect(append(to: queue, at: 6).sequence == 6)
        _ = try queue.flush(at: .sample(at: 6))
        #expect(try isSalvaged(queue))
        #expect(try awaited(by: "home") == [3, 4, 5, 6])
    }

    @Test("A deleted file is written again with all its data, while records wait in memory.")
    func deleted() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        queue.enterLoop()
        try FileManager.default.removeItem(atPath: folder.path)
        _ = try queue.tend(at: .sample(at: 6))
        #expect(queue.absence != nil && queue.flushDeadline == .boot)
        #expect(throws: StoreError.self) { try queue.flush(at: .sample(at: 6)) }
        #expect(append(to: queue, at: 6).sequence == 6)
        #expect(try reports(queue, at: 7) { $0 == .restored(path: folder.database) })
        _ = try queue.flush(at: .sample(at: 7))
        #expect(try awaited(by: "home") == [3, 4, 5, 6])
        queue.close()
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "at 6")
    }

    @Test("Without a commit, the maintenance of the queue notices a deleted file.")
    func noticed() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        queue.enterLoop()
        _ = try queue.tend(at: .sample(at: 6))
        try FileManager.default.removeItem(atPath: folder.database)
        #expect(queue.flushDeadline == nil)
        _ = try queue.tend(at: .sample(at: 16))
        #expect(queue.flushDeadline == .boot)
        #expect(throws: StoreError.self) { try queue.flush(at: .sample(at: 16)) }
        #expect(try reports(queue, at: 17) { $0 == .restored(path: folder.database) })
    }

    @Test("If another database replaces the file, the queue continues in that database with the present state.")
    func exchanged() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        queue.enterLoop()
        _ = append(to: queue, at: 6)
        _ = try queue.flush(at: .sample(at: 6))
        // The owner restores a copy of the first five records.
        let copy = folder.path + "/copy"
        let source = try DatabaseQueue(path: folder.database)
        try source.backup(to: DatabaseQueue(path: copy))
        try DatabaseQueue(path: copy).write { try $0.execute(sql: "DELETE FROM record WHERE sequence > 5") }
        // The log of the former file remains, and SQLite would apply this log to the copy.
        rename(copy, folder.database)
        #expect(append(to: queue, at: 7).sequence == 7)
        _ = try queue.flush(at: .sample(at: 7))
        #expect(try reports(queue, at: 7) { $0 == .exchanged(path: folder.database) })
        #expect(try awaited(by: "home") == [3, 4, 5, 7])
        queue.close()
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "at 7")
    }

    @Test("No thread opens an exchanged file before the loop has moved the log of the former file away.")
    func exchangedUnderThread() throws {
        try fill()
        let alarm = QueueAlarm()
        let lock = try QueueLock(path: folder.database)
        let (queue, _) = try RecordQueue.open(path: folder.database, grouping: .init(), alarm: alarm, lock: lock)
        let table = DeliveryTable(path: folder.database, alarm: alarm)
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [3, 4, 5])
        _ = append(to: queue, at: 6)
        _ = try queue.flush(at: .sample(at: 6))
        try exchange(through: 4)
        #expect(throws: StoreError.self) { try table.oldest(awaiting: "home", limit: 9, excluding: []) }
        _ = try queue.flush(at: .sample(at: 7))
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [3, 4])
        #expect(FileManager.default.fileExists(atPath: folder.database + ".former-wal"))
        queue.close()
        table.close()
    }

    @Test("If an older file replaces the file, the queue still uses no number twice.")
    func exchangedForOlder() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        _ = append(to: queue, at: 6)
        _ = try queue.flush(at: .sample(at: 6))
        try exchange(through: 4)
        _ = try queue.flush(at: .sample(at: 7))
        #expect(append(to: queue, at: 7).sequence == 7)
        _ = try queue.flush(at: .sample(at: 8))
        #expect(try awaited(by: "home") == [3, 4, 7])
        queue.close()
    }

    /// Replaces the file by one with only the first records, as the owner would with `mv`.
    private func exchange(through last: Int) throws {
        let copy = folder.path + "/copy"
        let target = try DatabaseQueue(path: copy)
        try DatabaseQueue(path: folder.database).backup(to: target)
        try target.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = DELETE; DELETE FROM record WHERE sequence > \(last);
                    UPDATE progress SET last_sequence = \(last); VACUUM
                    """)
        }
        try target.close()
        rename(copy, folder.database)
    }

    @Test("The queue continues in a file that was compacted, which does not count as damaged.")
    func compacted() throws {
        try fill()
        try DatabaseQueue(path: folder.database).vacuum()
        let queue = try RecordQueue(path: folder.database)
        #expect(try queue.tend(at: .sample(at: 6)).reports.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.database + ".damaged-1"))
        #expect(append(to: queue, at: 6).sequence == 6)
        _ = try queue.flush(at: .sample(at: 6))
        #expect(try awaited(by: "home") == [3, 4, 5, 6])
        queue.close()
    }

    @Test("If another program has used the next number, the waiting records get later numbers and are stored.")
    func usedNumber() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        try execute(
            """
            INSERT INTO record (sequence, uuid, kind, time_ms, delay_ms, flags)
            SELECT sequence + 2, uuid, kind, time_ms, delay_ms, flags FROM record WHERE sequence >= 4
            """)
        for second in [6.0, 7] { _ = append(to: queue, at: second) }
        _ = try queue.flush(at: .sample(at: 7))
        #expect(try awaited(by: "home") == [3, 4, 5, 6, 7, 8, 9])
        #expect(append(to: queue, at: 8).sequence == 10)
        queue.close()
    }

    @Test("A commit does not wait for another program that has locked the file, and loses nothing.")
    func locked() throws {
        try fill()
        let queue = try RecordQueue(path: folder.database)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.database, configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let record = append(to: queue, at: 6)
        let error = #expect(throws: StoreError.self) { try queue.settle(at: .sample(at: 6)) }
        #expect(error?.isLocked == true)
        #expect(queue.waitingCount == 1)
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        _ = try queue.flush(at: .sample(at: 7))
        #expect(try awaited(by: "home").last == record.sequence)
    }
}
