import Foundation
import GRDB
import Store
import Testing
import Tracking

/// After a salvage, trackerd still knows how many records each target has received.
extension SalvageTests {
    @Test(
        "A salvage finds the cursors of a file that was compacted, also with pages of another size.",
        arguments: [512, 1024, 4096])
    func movedCursors(pageSize: Int) throws {
        let filled = try fill()
        try folder.execute("UPDATE delivery SET cursor = 50; INSERT INTO ahead VALUES ('home', 200)")
        try compact(pageSize: pageSize)
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: try filled[150].page(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        let after = try salvaged(queue).map(\.sequence)
        #expect(after.count < 300)
        #expect(try awaitingHome() == after.filter { $0 > 50 && $0 != 200 })
        let numbers = try DatabaseQueue(path: folder.database).read {
            try Int.fetchAll($0, sql: "SELECT cursor FROM delivery UNION ALL SELECT sequence FROM ahead")
        }
        #expect(numbers == [50, 200])
        queue.close()
    }

    @Test("After a salvage, a target receives the records that were set aside because damage made them unreadable.")
    func unreadable() throws {
        let filled = try fill()
        try folder.execute(
            """
            INSERT INTO ahead VALUES ('home', 200), ('home', 201);
            INSERT INTO refused (target, sequence, reason, is_due)
            VALUES ('home', 200, 'this version of trackerd cannot read it', 0), ('home', 201, 'status 400', 0)
            """)
        try compact(pageSize: 512)
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: try filled[150].page(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        let after = try salvaged(queue).map(\.sequence)
        #expect(try awaitingHome() == after.filter { $0 > 100 && $0 != 201 })
        let table = try DeliveryTable(path: folder.database)
        try table.markDelivered([200], to: "home")
        #expect(try awaitingHome() == after.filter { $0 > 100 && $0 != 200 && $0 != 201 })
        queue.close()
    }

    @Test("If the cursors of a damaged file cannot be found, no target misses a record.", arguments: [512, 4096])
    func lostRoots(pageSize: Int) throws {
        _ = try fill()
        try folder.execute("UPDATE delivery SET cursor = 50; INSERT INTO ahead VALUES ('home', 200)")
        try compact(pageSize: pageSize)
        var bytes = try Data(contentsOf: file)
        // The schema occupies the first pages of the file.
        let name = Data("deliverydelivery".utf8)
        var found = bytes.startIndex..<bytes.startIndex
        while let range = bytes.range(of: name, in: found.upperBound..<bytes.endIndex) {
            bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: name.count))
            found = range
        }
        #expect(!found.isEmpty)
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        _ = try report(of: queue)
        #expect(Set(try awaitingHome()).isSuperset(of: Set(51...300).subtracting([200])))
        queue.close()
    }

    /// Rewrites the file as `VACUUM` does, which moves the tables.
    private func compact(pageSize: Int) throws {
        let database = try DatabaseQueue(path: folder.database)
        try database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM")
        }
        try database.close()
    }

    @Test("A delivery of new records during a salvage skips no older record.")
    func cursorWaits() throws {
        let before = try fill()
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: middleLeaf(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        let stored = queue.append(before[0].record, state: EngineState(), at: .sample(at: 302))
        _ = try queue.flush(at: .sample(at: 302))
        try DeliveryTable(path: folder.database).markDelivered([stored.sequence], to: "home")
        let after = try salvaged(queue).map(\.sequence).filter { $0 > 100 && $0 != stored.sequence }
        #expect(try awaitingHome() == after)
    }
}
