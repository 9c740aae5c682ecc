import Foundation
import GRDB
import Quantities
import Store
import Synchronization
import Testing
import Tracking

@Suite("A copy of the database")
struct DatabaseCopyTests {
    private let folder = TemporaryFolder()
    private var copy: String { folder.path + "/copy.sqlite" }

    /// Opens the queue, adds records that are on disk at once, and closes the queue; returns the records.
    private func record(_ count: Int) throws -> [StoredRecord] {
        let queue = try RecordQueue(path: folder.database)
        defer { queue.close() }
        return try (0..<count).map { _ in
            let reading = ClockReading.sample()
            let record = Tracking.Record(
                .ping, time: reading.time, isTimeTrusted: true, position: nil, isMoving: false, odometer: .zero,
                trip: nil)
            let stored = queue.append(record, state: EngineState(), at: reading)
            _ = try queue.settle(at: reading)
            return stored
        }
    }

    private func stored(for target: String = "home") throws -> [StoredRecord] {
        try DeliveryTable(path: folder.database).oldest(awaiting: target, limit: 100, excluding: [])
    }

    @Test("A copy of a database in use has all records and cursors, and is one file.")
    func complete() throws {
        let queue = try RecordQueue(path: folder.database)
        let records = try record(3)
        try DeliveryTable(path: folder.database).markDelivered([1], to: "home")
        let contents = try DatabaseCopy.make(of: folder.database, at: copy)
        #expect(contents.records == 3 && contents.lastSequence == 3)
        queue.close()
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("copy") }
        #expect(beside == ["copy.sqlite"])

        for suffix in ["", "-wal", "-shm"] { unlink(folder.database + suffix) }
        let restored = try DatabaseCopy.restore(copy, to: folder.database)
        #expect(restored.aside == nil)
        #expect(try stored() == Array(records.dropFirst()))
        #expect(try stored(for: "office") == records)
    }

    @Test("After a restoration, trackerd does not reuse a sequence number that the lost database may have used.")
    func numbers() throws {
        let before = try record(3)
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        let lost = try record(50)
        let first = try DatabaseCopy.restore(copy, to: folder.database)
        #expect(first.aside == folder.database + ".before-restore-1")
        let after = try record(2)
        #expect(try #require(after.first).sequence > 100_000_000)
        #expect(after[1].sequence == after[0].sequence + 1)
        let all = before + lost + after
        #expect(Set(all.map(\.sequence)).count == all.count)
        #expect(Set(all.map(\.uuid)).count == all.count)

        // The file that was set aside is complete.
        let aside = try #require(first.aside)
        #expect(try DeliveryTable(path: aside).oldest(awaiting: "home", limit: 100, excluding: []) == before + lost)
    }

    @Test("The numbers skip ahead once, also if the owner puts the file of a backup in place by hand.")
    func byHand() throws {
        _ = try record(3)
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        // The log of the former file remains beside the new file.
        unlink(folder.database)
        try FileManager.default.copyItem(atPath: copy, toPath: folder.database)
        let first = try #require(try record(1).first)
        let second = try #require(try record(1).first)
        #expect(first.sequence > 100_000_000)
        #expect(second.sequence == first.sequence + 1)
    }

    @Test("The log of the former database is not applied to the restored database.")
    func formerLog() throws {
        let before = try record(2)
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        _ = try record(1)
        #expect(FileManager.default.fileExists(atPath: folder.database + "-wal"))
        _ = try DatabaseCopy.restore(copy, to: folder.database)
        #expect(!FileManager.default.fileExists(atPath: folder.database + "-wal"))
        #expect(try stored() == before)
    }

    @Test("After a clean stop, no log remains that SQLite would apply to another file of the same name.")
    func emptyLog() throws {
        _ = try record(3)
        let table = try DeliveryTable(path: folder.database)
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        _ = try record(4)
        try table.markDelivered([1], to: "home")
        table.close()
        let log = try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")
        #expect(log[.size] as? Int == 0)
        rename(copy, folder.database)
        #expect(try stored().map(\.sequence) == [1, 2, 3])
    }

    @Test("The numbers of a compacted database also skip ahead after a restoration.")
    func compacted() throws {
        _ = try record(3)
        try DatabaseQueue(path: folder.database).vacuum()
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        _ = try DatabaseCopy.restore(copy, to: folder.database)
        #expect(try #require(try record(1).first).sequence > 100_000_000)
    }

    @Test("At each moment of a restoration, a database exists under the configured name.")
    func withoutGap() throws {
        _ = try record(3)
        _ = try DatabaseCopy.make(of: folder.database, at: copy)
        let (path, watch) = (folder.database, Watch())
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            while !watch.hasEnded.load(ordering: .acquiring) {
                if access(path, F_OK) != 0 { watch.gaps.add(1, ordering: .relaxed) }
            }
            end.signal()
        }
        thread.start()
        for _ in 0..<100 { _ = try DatabaseCopy.restore(copy, to: path) }
        watch.hasEnded.store(true, ordering: .releasing)
        end.wait()
        #expect(watch.gaps.load(ordering: .acquiring) == 0)
    }

    /// `gaps` counts how often the thread finds no file.
    private final class Watch: Sendable {
        let hasEnded = Atomic<Bool>(false)
        let gaps = Atomic<Int>(0)
    }

    @Test("A copy never replaces a file, and a damaged copy never replaces the database.")
    func refused() throws {
        let records = try record(2)
        #expect(throws: StoreError.self) { try DatabaseCopy.make(of: folder.database, at: folder.database) }
        try Data("noise".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(throws: StoreError.self) { try DatabaseCopy.restore(copy, to: folder.database) }
        #expect(throws: StoreError.self) { try DatabaseCopy.restore(folder.path + "/none", to: folder.database) }
        #expect(try stored() == records)
    }
}
