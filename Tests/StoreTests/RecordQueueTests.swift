import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("The record queue")
struct RecordQueueTests {
    private let folder = TemporaryFolder()

    private func record(_ content: Tracking.Record.Content = .location, second: Int64 = 0) -> Tracking.Record {
        Tracking.Record(
            content, time: Timestamp(milliseconds: 1_767_225_600_000 + second * 1000), isTimeTrusted: true,
            position: nil, isMoving: true, odometer: Metres(Double(second)), trip: 1)
    }

    private func append(_ record: Tracking.Record, to queue: RecordQueue, at second: Double = 0) throws -> StoredRecord
    {
        var state = EngineState()
        state.logbook.tag = "\(Int(record.odometer.value))"
        let reading = ClockReading.sample(at: second, time: record.time)
        let stored = queue.append(record, state: state, at: reading)
        _ = try queue.settle(at: reading)
        return stored
    }

    /// The records that another program finds in the file.
    private func onDisk() throws -> [Int64] {
        try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 100, excluding: []).map(\.sequence)
    }

    @Test("Records are numbered without a gap, also after a restart.")
    func sequence() throws {
        for start in [1, 3, 5] as [Int64] {
            let queue = try RecordQueue(path: folder.database)
            #expect(try append(record(), to: queue).sequence == start)
            #expect(try append(record(.motionchange), to: queue).sequence == start + 1)
        }
        #expect(try onDisk() == [1, 2, 3, 4, 5, 6])
    }

    @Test("An event is on disk at once, together with the locations before it.")
    func events() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try append(record(), to: queue)
        #expect(try onDisk() == [])
        _ = try append(record(.motionchange), to: queue)
        #expect(try onDisk() == [1, 2])
        #expect(queue.committedSequence == 2)
    }

    @Test("Locations are committed in groups of ten, or after five seconds.")
    func groups() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in 0..<9 { _ = try append(record(), to: queue, at: Double(second) / 10) }
        #expect(try onDisk() == [])
        #expect(queue.flushDeadline == Instant(seconds: 5))
        _ = try append(record(), to: queue, at: 1)
        #expect(try onDisk().count == 10)
        #expect(queue.flushDeadline == nil)
    }

    @Test("Each record is on disk at once if grouping is off.")
    func ungrouped() throws {
        let queue = try RecordQueue(path: folder.database, grouping: .init(interval: .zero))
        _ = try append(record(), to: queue)
        #expect(try onDisk() == [1])
    }

    @Test("The engine state is committed together with its record.")
    func state() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try append(record(.motionchange, second: 7), to: queue)
        _ = try append(record(second: 8), to: queue)
        // The second record and its state were not committed.
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "7")
        _ = try queue.flush(at: .sample())
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "8")
    }

    @Test("Unreadable fields of the state are named, and the others are restored.")
    func unreadableState() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try append(record(.motionchange, second: 7), to: queue)
        try execute(
            #"""
            UPDATE state SET value = '{"odometer":"far","tag":"7"}' WHERE component = 'logbook';
            UPDATE state SET value = '{"isSwitchedOff":true}' WHERE component = 'gate';
            UPDATE state SET value = '{"boots":' WHERE component = 'power';
            """#)
        let restored = try #require(try RecordQueue(path: folder.database).restoredState)
        #expect(restored.state.gate.isSwitchedOff && restored.state.logbook.tag == "7")
        #expect(restored.unreadable == ["odometer", "power"])
    }

    @Test("A state without a readable field is reported.", arguments: ["", "far", "[]"])
    func noState(text: String) throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try append(record(.motionchange, second: 7), to: queue)
        try execute("UPDATE state SET value = '\(text)'")
        let restored = try #require(try RecordQueue(path: folder.database).restoredState)
        #expect(restored == .nothing && restored.state == EngineState())
        #expect(restored.warning != nil)
    }

    @Test("A new queue has no state.")
    func new() throws {
        #expect(try RecordQueue(path: folder.database).restoredState == nil)
    }

    @Test("Each record has a UUID of version 7 that sorts by time.")
    func uuid() throws {
        let queue = try RecordQueue(path: folder.database)
        let first = try append(record(second: 1), to: queue).uuid
        let second = try append(record(second: 2), to: queue).uuid
        #expect(UUID(uuidString: first)?.uuidString.lowercased() == first)
        #expect(first.dropFirst(14).first == "7")
        #expect("89ab".contains(first.dropFirst(19).prefix(1)))
        #expect(first < second)
    }

    @Test("The table has a UUID as 16 bytes.")
    func uuidBytes() throws {
        let uuid = try append(record(.motionchange), to: RecordQueue(path: folder.database)).uuid
        let stored = try DatabaseQueue(path: folder.database).read { database in
            try String.fetchOne(database, sql: "SELECT lower(hex(uuid)) FROM record WHERE typeof(uuid) = 'blob'")
        }
        #expect(stored == uuid.replacing("-", with: ""))
    }

    @Test("After a failure the queue tries again at the postponed time, and not before.")
    func postponed() throws {
        let queue = try RecordQueue(path: folder.database)
        queue.postponeFlush(until: Instant(seconds: 10))
        _ = try append(record(.motionchange), to: queue, at: 9.9)
        #expect(try onDisk() == [])
        _ = try append(record(), to: queue, at: 10)
        #expect(try onDisk() == [1, 2])
    }

    @Test("At the end of the program, the queue writes the waiting records.")
    func end() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try append(record(), to: queue)
        #expect(try onDisk() == [])
        #expect(try queue.flushFinally(at: .sample(at: 1)))
        #expect(try onDisk() == [1])
    }

    @Test("Records wait in memory while the disk cannot be written.")
    func unwritable() throws {
        let queue = try RecordQueue(path: folder.database)
        try execute("CREATE TRIGGER away BEFORE INSERT ON record BEGIN SELECT RAISE(FAIL, 'the disk is away'); END")
        #expect(throws: StoreError.self) { try append(record(.motionchange), to: queue) }
        #expect(throws: StoreError.self) { try append(record(), to: queue) }
        #expect(queue.waitingCount == 2)
        #expect(queue.committedSequence == 0)
        try execute("DROP TRIGGER away")
        _ = try queue.flush(at: .sample())
        #expect(try onDisk() == [1, 2])
    }

    @Test("A second program cannot lock the queue.")
    func lock() throws {
        var lock: QueueLock? = try QueueLock(path: folder.database)
        #expect(throws: QueueLockError.self) { try QueueLock(path: folder.database) }
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try QueueLock(path: folder.database)
    }

    @Test("The lock works under every name of the file, and after its lock file was removed.")
    func lockOfTheFile() throws {
        let queue = try RecordQueue(path: folder.database)
        let lock = try QueueLock(path: folder.database)
        let link = folder.database + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.database)
        #expect(throws: QueueLockError.self) { try QueueLock(path: link) }
        try FileManager.default.removeItem(atPath: folder.database + ".lock")
        #expect(throws: QueueLockError.self) { try QueueLock(path: folder.database) }
        withExtendedLifetime((lock, queue)) {}
    }

    @Test("A symbolic link in place of the lock file is not followed.")
    func linkedLock() throws {
        let elsewhere = folder.database + "-elsewhere"
        try FileManager.default.createSymbolicLink(
            atPath: folder.database + ".lock", withDestinationPath: elsewhere)
        let queue = try RecordQueue(path: folder.database)
        let lock = try QueueLock(path: folder.database)
        #expect(!FileManager.default.fileExists(atPath: elsewhere))
        #expect(throws: QueueLockError.self) { try QueueLock(path: folder.database) }
        withExtendedLifetime((lock, queue)) {}
    }

    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.database).write { database in try database.execute(sql: sql) }
    }

    @Test("The error for a file that cannot be opened states the remedy.")
    func unopenable() throws {
        let error = #expect(throws: StoreError.self) { try RecordQueue(path: "/nonexistent/trackerd.sqlite") }
        #expect(error?.description.contains("Check that the folder exists") == true)
    }
}
