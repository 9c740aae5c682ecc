import Contracts
import Delivery
import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("The queue of the uploads while the disk accepts no data")
struct CombinedQueueTests {
    private let folder = TemporaryFolder()
    private let alarm = QueueAlarm()
    private let queue: RecordQueue
    private let uploads: CombinedQueue

    init() throws {
        let lock = try QueueLock(path: folder.database)
        queue = try RecordQueue.open(path: folder.database, grouping: .init(), alarm: alarm, lock: lock).queue
        uploads = CombinedQueue(path: folder.database, alarm: alarm)
    }

    /// Appends records; a record with an untrusted date may get another date later.
    @discardableResult
    private func append(_ count: Int, isTrusted: Bool = true) -> [StoredRecord] {
        SampleRecords.many(count).map { stored in
            queue.append(
                stored.record, state: EngineState(),
                at: .sample(at: 900, time: stored.created, isTrusted: isTrusted))
        }
    }

    @Test(
        "The records on disk and in memory together fulfil the contract of a delivery queue.",
        arguments: DeliveryQueueContract.allCases, [0, 2, 5])
    func contract(clause: DeliveryQueueContract, onDisk: Int) throws {
        #expect(
            try clause.violations { records in
                let path = folder.path + "/\(UUID().uuidString).sqlite"
                let alarm = QueueAlarm()
                let lock = try QueueLock(path: path)
                let queue = try RecordQueue.open(path: path, grouping: .init(), alarm: alarm, lock: lock).queue
                for (index, stored) in records.enumerated() {
                    if index == onDisk { _ = try queue.flush(at: .sample()) }
                    _ = queue.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
                }
                queue.offerWaiting()
                return SameIdentity(queue: CombinedQueue(path: path, alarm: alarm), uuids: records.map(\.uuid))
            } == [])
    }

    @Test("Targets receive records from memory, and the next commit stores these deliveries with the records.")
    func delivered() throws {
        append(2)
        _ = try queue.flush(at: .sample())
        try #expect(uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 2])
        let waiting = append(3)
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 2])
        #expect(queue.offerWaiting())
        #expect(!queue.offerWaiting(), "nothing is new")
        #expect(try uploads.newest(awaiting: "home") == waiting.last)
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 2, 3, 4, 5])
        try uploads.markDelivered([1, 3, 5], to: "home")
        try uploads.setAside(4, for: "home", reason: "no")
        try uploads.addTraffic(70, of: "home", in: "2026-11")
        #expect(try uploads.newest(awaiting: "home") == nil)
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [2])
        #expect(try uploads.oldest(awaiting: "work", limit: 9, excluding: []).count == 5)
        #expect(try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 9, excluding: []).count == 2)

        _ = try queue.flush(at: .sample())
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [2])
        try uploads.addTraffic(7, of: "home", in: "2026-11")
        let table = try DeliveryTable(path: folder.database)
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [2])
        #expect(try table.oldest(awaiting: "work", limit: 9, excluding: []).count == 5)
        #expect(try table.traffic(of: "home", in: "2026-11") == 77)
        let aside = try DatabaseQueue(path: folder.database).read { database in
            try Int64.fetchAll(database, sql: "SELECT sequence FROM refused WHERE target = 'home' AND reason = 'no'")
        }
        #expect(aside == [4])
    }

    @Test("Records on disk can be passed over while the disk accepts no data, and the next commit stores this.")
    func passedOver() throws {
        append(4)
        _ = try queue.flush(at: .sample())
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).count == 4)
        append(2)
        #expect(queue.offerWaiting())
        try uploads.markDelivered([2], to: "home")
        let other = try DatabaseQueue(path: folder.database)
        // Another program has locked the database, so the upload thread cannot write to it.
        try other.write { _ in
            try #expect(uploads.passOver(through: 3, keepingStops: false, for: "home") == 2)
            try #expect(uploads.oldest(awaiting: "home", limit: 1, excluding: []).map(\.sequence) == [4])
            try #expect(uploads.passOver(through: 5, keepingStops: false, for: "home") == 2)
            try #expect(uploads.passOver(through: 5, keepingStops: false, for: "home") == 0)
            try #expect(uploads.newest(awaiting: "home", before: 6) == nil)
            try #expect(uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [6])
            try #expect(uploads.oldest(awaiting: "work", limit: 9, excluding: []).count == 6)
        }
        _ = try queue.flush(at: .sample())
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [6])
        let table = try DeliveryTable(path: folder.database)
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [6])
        #expect(try table.oldest(awaiting: "work", limit: 9, excluding: []).count == 6)
    }

    @Test("A record has the same form in memory as on disk.")
    func form() throws {
        append(5)
        queue.offerWaiting()
        let inMemory = try uploads.oldest(awaiting: "home", limit: 9, excluding: [])
        _ = try queue.flush(at: .sample())
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []) == inMemory)
        #expect(inMemory.count == 5)
    }

    @Test("A record whose date may change is sent from memory only after the correction.")
    func doubtful() throws {
        append(2)
        queue.offerWaiting()
        append(1, isTrusted: false)
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 2])
        #expect(queue.correct(before: Instant(seconds: 1000), at: .sample(at: 1000)))
        #expect(try uploads.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 2, 3])
    }

    @Test("A new record wakes the upload thread even while the disk accepts no data.")
    func wakes() throws {
        append(1)
        #expect(queue.offerWaiting())
        queue.postponeFlush(until: Instant(seconds: 2000))
        #expect(try !queue.settle(at: .sample(at: 1000)))
        append(1)
        #expect(try queue.settle(at: .sample(at: 1000)))
        #expect(try !queue.settle(at: .sample(at: 1000)))
    }

    @Test("At the end of the program, only records that a target has not received count as lost.")
    func endangered() throws {
        queue.retention.targets = ["home", "work"]
        append(3)
        queue.offerWaiting()
        try uploads.markDelivered([1, 2], to: "home")
        #expect(queue.endangeredCount == 3)
        try uploads.markDelivered([2, 3], to: "work")
        #expect(queue.endangeredCount == 2)
    }

    @Test("If the file has later numbers, the records in memory and their deliveries get new numbers.")
    func renumbered() throws {
        append(2)
        queue.offerWaiting()
        try uploads.markDelivered([1], to: "home")
        // Another program has added other records with the same numbers.
        let other = try RecordQueue(path: folder.database)
        for stored in SampleRecords.many(3) {
            _ = other.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
        }
        _ = try other.flush(at: .sample())
        _ = try queue.flush(at: .sample())
        let found = try uploads.oldest(awaiting: "home", limit: 9, excluding: [])
        #expect(found.map(\.sequence) == [1, 2, 3, 5])
    }
}

/// A queue whose records have the UUIDs that the contract expects, instead of the queue's own.
private struct SameIdentity: DeliveryQueue {
    let queue: CombinedQueue
    let uuids: [String]

    func newest(awaiting target: String, before sequence: Int64) throws -> StoredRecord? {
        try queue.newest(awaiting: target, before: sequence).map(renamed)
    }

    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord] {
        try queue.oldest(awaiting: target, limit: limit, excluding: excluding).map(renamed)
    }

    func markDelivered(_ sequences: [Int64], to target: String) throws {
        try queue.markDelivered(sequences, to: target)
    }

    func setAside(_ sequence: Int64, for target: String, reason: String) throws {
        try queue.setAside(sequence, for: target, reason: reason)
    }

    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int {
        try queue.passOver(through: sequence, keepingStops: keepingStops, for: target)
    }

    func takeUnreadable() -> [Int64] { queue.takeUnreadable() }

    func accept(_ order: StoredOrder) throws -> OrderAcceptance { try queue.accept(order) }

    func traffic(of target: String, in month: String) throws -> Int64 { try queue.traffic(of: target, in: month) }

    func addTraffic(_ bytes: Int64, of target: String, in month: String) throws {
        try queue.addTraffic(bytes, of: target, in: month)
    }

    private func renamed(_ stored: StoredRecord) -> StoredRecord {
        StoredRecord(
            sequence: stored.sequence, uuid: uuids[Int(stored.sequence) - 1], created: stored.created,
            record: stored.record)
    }
}
