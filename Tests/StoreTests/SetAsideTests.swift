import Quantities
import Store
import Testing
import Tracking

@Suite("Records that were set aside")
struct SetAsideTests {
    private let folder = TemporaryFolder()

    /// Returns a queue of five records, of which `home` has refused 2 and 4 and accepted the others.
    private func refusing() throws -> DeliveryTable {
        let queue = try RecordQueue(path: folder.database, grouping: .init(interval: .zero))
        for second in 1...5 {
            let record = Record(
                .motionchange, time: Timestamp(milliseconds: Int64(second) * 1000), isTimeTrusted: true, position: nil,
                isMoving: true, odometer: .zero, trip: 1)
            _ = queue.append(record, state: EngineState(), at: .sample())
            _ = try queue.settle(at: .sample())
        }
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([1, 3], to: "home")
        try table.setAside(2, for: "home", reason: "status 400: no")
        try table.setAside(4, for: "home", reason: "status 422")
        try table.markDelivered([5], to: "home")
        return table
    }

    private func waiting(_ table: DeliveryTable, _ target: String = "home", limit: Int = 9) throws -> [Int64] {
        try table.oldest(awaiting: target, limit: limit, excluding: []).map(\.sequence)
    }

    @Test("Records set aside are listed with number, time, kind and reason, for their target only.")
    func list() throws {
        _ = try refusing()
        let table = try SetAsideTable(reading: folder.database)
        #expect(try table.count(for: "home") == 2)
        #expect(try table.count(for: "work") == 0)
        let entries = try table.entries(for: "home", limit: 10)
        #expect(entries.map(\.sequence) == [2, 4])
        #expect(entries.first?.time == Timestamp(milliseconds: 2000))
        #expect(entries.first?.kind == "motionchange" && entries.first?.reason == "status 400: no")
        #expect(try table.entries(for: "home", limit: 1).count == 1)
    }

    @Test(
        "Records marked to be sent again await the target until they are delivered, even below the cursor.")
    func again() throws {
        let table = try refusing()
        let aside = try SetAsideTable(path: folder.database)
        #expect(try waiting(table).isEmpty)
        #expect(try aside.sendAgain([2, 3, 77], to: "home") == 1)
        #expect(try waiting(table) == [2])
        #expect(try aside.dueCount(for: "home") == 1)
        #expect(try aside.count(for: "home") == 1)
        #expect(try aside.sendAgain([], to: "home") == 1)
        #expect(try waiting(table) == [2, 4])
        #expect(try waiting(table, limit: 1) == [2])
        #expect(try table.oldest(awaiting: "home", limit: 9, excluding: [2]).map(\.sequence) == [4])
        #expect(try waiting(table, "work") == [1, 2, 3, 4, 5])
        try table.markDelivered([2], to: "home")
        #expect(try waiting(table) == [4])
        try table.setAside(4, for: "home", reason: "again")
        #expect(try waiting(table).isEmpty)
        #expect(try aside.entries(for: "home", limit: 9).map(\.reason) == ["again"])
        #expect(try aside.sendAgain([2], to: "home") == 0, "record 2 is already delivered")
    }

    @Test("Records that a target has passed over do not await the target again.")
    func passedOver() throws {
        let table = try refusing()
        #expect(try SetAsideTable(path: folder.database).sendAgain([], to: "home") == 2)
        #expect(try table.passOver(through: 3, keepingStops: false, for: "home") == 1)
        #expect(try waiting(table) == [4])
    }
}
