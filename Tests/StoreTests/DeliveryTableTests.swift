import Contracts
import Delivery
import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("The delivery table")
struct DeliveryTableTests {
    @Test("The delivery table fulfils the contract of a delivery queue.", arguments: DeliveryQueueContract.allCases)
    func contract(clause: DeliveryQueueContract) throws {
        let folder = TemporaryFolder()
        #expect(
            try clause.violations { records in
                let path = folder.path + "/\(UUID().uuidString).sqlite"
                let queue = try RecordQueue(path: path)
                for stored in records {
                    _ = queue.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
                }
                _ = try queue.flush(at: .sample())
                return SameIdentity(table: try DeliveryTable(path: path), uuids: records.map(\.uuid))
            } == [])
    }

    @Test("An unreadable record is set aside, and the others are delivered.")
    func unreadable() throws {
        let folder = TemporaryFolder()
        let queue = try RecordQueue(path: folder.database)
        for stored in SampleRecords.many(5) {
            _ = queue.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
        }
        _ = try queue.flush(at: .sample())
        try DatabaseQueue(path: folder.database).write { database in
            try database.execute(sql: "UPDATE record SET rest = 'torn' WHERE sequence IN (1, 5)")
        }
        let table = try DeliveryTable(path: folder.database)
        #expect(try table.newest(awaiting: "home") == nil)
        #expect(try table.oldest(awaiting: "home", limit: 1, excluding: []).map(\.sequence) == [2])
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [2, 3, 4])
    }

    /// Stores locations, and a stop as the tenth record; counts the transactions that move a cursor in the table `turn`.
    private func fill(_ folder: TemporaryFolder, count: Int) throws {
        let queue = try RecordQueue(path: folder.database)
        for stored in SampleRecords.many(count) {
            _ = queue.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
        }
        _ = try queue.flush(at: .sample())
        queue.close()
        try folder.execute(
            """
            UPDATE record SET flags = flags | \(1 << 3) WHERE sequence = 10; CREATE TABLE turn (cursor INTEGER);
            CREATE TRIGGER turns AFTER INSERT ON delivery BEGIN INSERT INTO turn VALUES (new.cursor); END;
            """)
    }

    private func integers(_ folder: TemporaryFolder, _ sql: String) throws -> [Int64] {
        try DatabaseQueue(path: folder.database).read { try Int64.fetchAll($0, sql: sql) }
    }

    @Test("A long backlog is passed over in short transactions, so that the loop can write between them.")
    func longBacklog() throws {
        let folder = TemporaryFolder()
        try fill(folder, count: 1300)
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([600], to: "home")
        #expect(try table.passOver(through: 1200, keepingStops: true, for: "home") == 1198)
        #expect(try integers(folder, "SELECT COUNT(*) FROM turn")[0] >= 3)
        #expect(try table.oldest(awaiting: "home", limit: 2, excluding: []).map(\.sequence) == [10, 1201])
        #expect(try table.passOver(through: 1300, keepingStops: false, for: "home") == 101)
        #expect(try integers(folder, "SELECT cursor FROM delivery") == [1300])
        #expect(try integers(folder, "SELECT COUNT(*) FROM ahead") == [0])
    }

    @Test("The delivery of a record that the file lacks is not stored, because another record may get its number.")
    func noSuchRecord() throws {
        let folder = TemporaryFolder()
        try fill(folder, count: 5)
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([7, 4], to: "home")
        #expect(try integers(folder, "SELECT sequence FROM ahead") == [4])
    }

    @Test("Deliveries out of order survive a restart.")
    func ahead() throws {
        let folder = TemporaryFolder()
        let queue = try RecordQueue(path: folder.database)
        for stored in SampleRecords.many(5) {
            _ = queue.append(stored.record, state: EngineState(), at: .sample(time: stored.created))
        }
        _ = try queue.flush(at: .sample())
        try DeliveryTable(path: folder.database).markDelivered([5, 2], to: "home")
        let table = try DeliveryTable(path: folder.database)
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [1, 3, 4])
        try table.markDelivered([1], to: "home")
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [3, 4])
        try table.markDelivered([3, 4], to: "home")
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: []).isEmpty)
    }

    @Test("The progress of delivery names the configured targets, also one that has received nothing.")
    func progress() throws {
        let folder = TemporaryFolder()
        try fill(folder, count: 3)
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([1], to: "home")
        try table.setAside(2, for: "work", reason: "status 400: no")
        #expect(try DeliveryProgress(path: folder.database).targets == ["home", "work"])
        let configured = try DeliveryProgress(path: folder.database, targets: ["new", "home", "work"])
        #expect(configured.targets == ["new", "home", "work"])
        var states: [[DeliveryProgress.State]] = []
        try History(path: folder.database).forEach(in: RecordSpan()) { states.append(configured.states(of: $0)) }
        #expect(
            states == [
                [.waiting, .delivered, .waiting], [.waiting, .waiting, .setAside], [.waiting, .waiting, .waiting],
            ])
    }
}

/// A delivery table whose records have the UUIDs that the contract expects, instead of the queue's own.
private struct SameIdentity: DeliveryQueue {
    let table: DeliveryTable
    let uuids: [String]

    func newest(awaiting target: String, before sequence: Int64) throws -> StoredRecord? {
        try table.newest(awaiting: target, before: sequence).map(renamed)
    }

    func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord] {
        try table.oldest(awaiting: target, limit: limit, excluding: excluding).map(renamed)
    }

    func markDelivered(_ sequences: [Int64], to target: String) throws {
        try table.markDelivered(sequences, to: target)
    }

    func setAside(_ sequence: Int64, for target: String, reason: String) throws {
        try table.setAside(sequence, for: target, reason: reason)
    }

    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int {
        try table.passOver(through: sequence, keepingStops: keepingStops, for: target)
    }

    func takeUnreadable() -> [Int64] { table.takeUnreadable() }

    func accept(_ order: StoredOrder) throws -> OrderAcceptance { try table.accept(order) }

    func traffic(of target: String, in month: String) throws -> Int64 { try table.traffic(of: target, in: month) }

    func addTraffic(_ bytes: Int64, of target: String, in month: String) throws {
        try table.addTraffic(bytes, of: target, in: month)
    }

    private func renamed(_ stored: StoredRecord) -> StoredRecord {
        StoredRecord(
            sequence: stored.sequence, uuid: uuids[Int(stored.sequence) - 1], created: stored.created,
            record: stored.record)
    }
}
