import Foundation
import GRDB
import Quantities
import Store
import TestSupport
import Testing
import Tracking

@Suite("A damaged queue")
struct SalvageTests {
    enum Damage: CaseIterable {
        case zeroed, noise, bitFlipped, halfTruncated

        func apply(to bytes: inout Data, page: Int) {
            let start = page * 4096
            switch self {
            case .zeroed: bytes.replaceSubrange(start..<start + 4096, with: Data(count: 4096))
            case .noise:
                var generator = SystemRandomNumberGenerator()
                let noise = Data((0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) })
                bytes.replaceSubrange(start..<start + 4096, with: noise)
            case .bitFlipped: bytes[start] ^= 0x08
            case .halfTruncated: bytes.replaceSubrange(start + 2048..<start + 4096, with: Data(count: 2048))
            }
        }
    }

    let folder = TemporaryFolder()
    var file: URL { URL(fileURLWithPath: folder.database) }

    /// Writes 300 records on about forty pages, and an odometer; a target has received the first hundred records.
    func fill() throws -> [StoredRecord] {
        let queue = try RecordQueue(path: folder.database)
        var stored: [StoredRecord] = []
        for second in 0..<300 {
            let record = Tracking.Record(
                .location, time: Timestamp(milliseconds: 1_767_225_600_000 + Int64(second) * 1000),
                isTimeTrusted: true,
                position: Position(
                    coordinate: try #require(Coordinate(latitude: 52.5, longitude: 13.4 + Double(second) / 1000))),
                isMoving: true, odometer: Metres(Double(second)), trip: 1)
            var state = EngineState()
            state.logbook.tag = "at \(second)"
            stored.append(queue.append(record, state: state, at: .sample(at: Double(second), time: record.time)))
        }
        _ = try queue.flush(at: .sample(at: 300))
        try DeliveryTable(path: folder.database).markDelivered(Array(1...100), to: "home")
        queue.close()
        // The file now contains all records. The test removes the log, because SQLite would read pages from the log
        // instead of the file.
        try FileManager.default.removeItem(atPath: folder.database + "-wal")
        return stored
    }

    /// Returns the records that another program finds in the file after the salvage.
    func salvaged(_ queue: RecordQueue) throws -> [StoredRecord] {
        _ = try report(of: queue)
        return try DeliveryTable(path: folder.database).oldest(awaiting: "nobody", limit: 1000, excluding: [])
    }

    /// Waits for the report of the salvage for up to ten minutes; returns nil if no report comes.
    func report(of queue: RecordQueue) throws -> QueueDisk.Report? {
        try queue.tend(at: .sample(at: 301)) { $0.contains(where: \.isSalvage) }.first(where: \.isSalvage)
    }

    func awaitingHome() throws -> [Int64] {
        try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 1000, excluding: []).map(\.sequence)
    }

    @Test(
        "Each record on a readable page is recovered, whichever page is damaged and in whatever way.",
        arguments: Damage.allCases)
    func anyPage(damage: Damage) throws {
        let before = try fill()
        let whole = try Data(contentsOf: file)
        for page in stride(from: 0, to: whole.count / 4096, by: 3) {
            var bytes = whole
            damage.apply(to: &bytes, page: page)
            try removeAll()
            try bytes.write(to: file)
            let queue = try RecordQueue(path: folder.database)
            let (reports, _) = try queue.tend(at: .sample(at: 300))
            if reports.isEmpty { continue }  // The page had no record, so SQLite ignores the damage.
            let after = try salvaged(queue)
            // The damage affects eight pages, and each page has seven or eight records of this size.
            #expect(after.count >= before.count - 64, "page \(page)")
            let originals = Dictionary(uniqueKeysWithValues: before.map { ($0.sequence, $0) })
            for record in after { #expect(originals[record.sequence] == record, "page \(page)") }
            queue.close()
        }
    }

    @Test("A salvage preserves state, cursors and numbers, and a target gets only the records it has not received.")
    func everythingElse() throws {
        let before = try fill()
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: middleLeaf(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.restoredState?.state.logbook.tag == "at 299")
        #expect(queue.committedSequence == 300)
        let after = try salvaged(queue).map(\.sequence)
        #expect(after.count < before.count)
        #expect(try awaitingHome() == after.filter { $0 > 100 })
        let next = queue.append(
            before[0].record, state: EngineState(), at: .sample(at: 302, time: before[0].created))
        #expect(next.sequence == 301)
    }

    @Test("A salvage counts the records that it could not read.")
    func missing() throws {
        _ = try fill()
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: middleLeaf(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        guard case .salvaged(_, let records, let missing) = try report(of: queue) else {
            Issue.record("There is no report of the salvage.")
            return
        }
        let found = try DeliveryTable(path: folder.database).oldest(awaiting: "nobody", limit: 1000, excluding: [])
        #expect(records == found.count && missing > 0)
        #expect(records + missing == Int(300 - (try #require(found.first?.sequence)) + 1))
    }

    @Test("Records are recovered from a database with pages of another size.")
    func otherPageSize() throws {
        let before = try fill()
        do {
            let database = try DatabaseQueue(path: folder.database)
            try database.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try database.inDatabase { try $0.execute(sql: "PRAGMA page_size = 1024") }
            try database.vacuum()
            try database.close()
        }
        var bytes = try Data(contentsOf: file)
        #expect(bytes[16..<18] == Data([4, 0]))
        // The root of the table `record` is damaged, so SQLite itself finds no record.
        bytes.replaceSubrange(100..<1024, with: Data(count: 924))
        try bytes.write(to: file)
        #expect(try salvaged(try RecordQueue(path: folder.database)) == before)
    }

    @Test("A file that is not a database is renamed and replaced.")
    func noDatabase() throws {
        try Data("this is no database, and never was one".utf8).write(to: file)
        let queue = try RecordQueue(path: folder.database)
        let (reports, _) = try queue.tend(at: .sample())
        guard case .replaced(_, let aside) = try #require(reports.first) else {
            Issue.record("The file was not replaced.")
            return
        }
        #expect(aside == folder.database + ".damaged-1")
        #expect(try String(contentsOfFile: aside, encoding: .utf8) == "this is no database, and never was one")
        #expect(queue.append(try record(), state: EngineState(), at: .sample()).sequence == 1)
    }

    @Test("Records and state are recovered from a file without its header.")
    func header() throws {
        let before = try fill()
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<512, with: Data((0..<512).map { _ in UInt8.random(in: 0...255) }))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.restoredState?.state.logbook.tag == "at 299")
        #expect(try salvaged(queue) == before)
        #expect(try awaitingHome() == Array(101...300))
    }

    @Test("A file that is damaged while open is replaced at the next commit, without loss of waiting records.")
    func whileOpen() throws {
        _ = try fill()
        let queue = try RecordQueue(path: folder.database)
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "DROP TABLE decision") }
        let stored = queue.append(try record(), state: EngineState(), at: .sample(at: 303))
        queue.decisions.note(isMoving: true, at: .sample(at: 303))
        _ = try queue.flush(at: .sample(at: 304))
        #expect(queue.committedSequence == stored.sequence && stored.sequence == 301)
        #expect(try salvaged(queue).map(\.sequence) == Array(1...301))
    }

    @Test("Damage that a target finds while parked is salvaged without waiting for a record.")
    func whileParked() throws {
        _ = try fill()
        let alarm = QueueAlarm()
        let lock = try QueueLock(path: folder.database)
        let (queue, absence) = try RecordQueue.open(path: folder.database, grouping: .init(), alarm: alarm, lock: lock)
        #expect(absence == nil)
        let table = DeliveryTable(path: folder.database, alarm: alarm)
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "DROP TABLE ahead") }
        #expect(throws: StoreError.self) { try table.oldest(awaiting: "home", limit: 1, excluding: []) }
        #expect(try salvaged(queue).map(\.sequence) == Array(1...300))
        #expect(try table.oldest(awaiting: "home", limit: 1, excluding: []).map(\.sequence) == [101])
        #expect(queue.flushDeadline == nil)
        queue.close()
    }

    @Test("If a damaged file cannot be replaced, a later attempt replaces it, and no deadline remains in the past.")
    func irreplaceable() throws {
        _ = try fill()
        let alarm = QueueAlarm()
        let lock = try QueueLock(path: folder.database)
        let (queue, _) = try RecordQueue.open(path: folder.database, grouping: .init(), alarm: alarm, lock: lock)
        // A folder has the name of the new file, so the queue cannot create the file.
        try FileManager.default.createDirectory(
            atPath: folder.database + ".new/x", withIntermediateDirectories: true)
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: "DROP TABLE ahead") }
        let table = DeliveryTable(path: folder.database, alarm: alarm)
        #expect(throws: StoreError.self) { try table.oldest(awaiting: "home", limit: 1, excluding: []) }
        #expect(throws: StoreError.self) { try queue.tend(at: .sample(at: 301)) }
        queue.postponeFlush(until: Instant(seconds: 306))
        // Until the new file replaces the damaged file, the queue continues to use the damaged file.
        _ = try queue.flush(at: .sample(at: 306))
        #expect(queue.flushDeadline == nil)
        try FileManager.default.removeItem(atPath: folder.database + ".new")
        #expect(throws: StoreError.self) { try table.oldest(awaiting: "home", limit: 1, excluding: []) }
        #expect(try salvaged(queue).count == 300)
        queue.close()
    }

    @Test("A salvage interrupted by a power cut continues at the next start.")
    func interrupted() throws {
        let before = try fill()
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<512, with: Data((0..<512).map { _ in UInt8.random(in: 0...255) }))
        try bytes.write(to: file)
        // The test closes the queue at once. This can interrupt the thread of the salvage at any point.
        try RecordQueue(path: folder.database).close()
        let queue = try RecordQueue(path: folder.database)
        #expect(try salvaged(queue) == before)
    }

    @Test("A salvage that fails again for the same reason is reported once, and succeeds when the reason is gone.")
    func failingAgain() throws {
        let before = try fill()
        try FileManager.default.copyItem(atPath: folder.database, toPath: folder.database + ".damaged-1")
        try folder.execute(
            """
            DELETE FROM record; INSERT INTO salvage (path, through) VALUES ('\(folder.database).damaged-1', 0);
            CREATE TRIGGER broken BEFORE UPDATE ON salvage BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        let queue = try RecordQueue(path: folder.database)
        #expect(try reports(of: queue, at: 301, until: { queue.tendDeadline != nil }).count == 1)
        #expect(queue.tendDeadline == Instant(seconds: 361))
        #expect(try reports(of: queue, at: 361, until: { queue.tendDeadline == Instant(seconds: 421) }).isEmpty)
        try folder.execute("DROP TRIGGER broken")
        let end = try reports(of: queue, at: 421, until: { false })
        guard case .salvaged(_, let records, 0) = try #require(end.first) else {
            Issue.record("\(end)")
            return
        }
        #expect(records == before.count)
    }

    /// Returns the reports until the condition is true or the salvage ends, for ten minutes at most.
    func reports(
        of queue: RecordQueue, at second: Double, until isReached: () -> Bool
    ) throws -> [QueueDisk.Report] {
        try queue.tend(at: .sample(at: second)) { isReached() || $0.contains(where: \.isSalvage) }
    }

    @Test("A damaged page of a file above 16 MiB is found before a record is read from that page.")
    func largeFile() throws {
        let filled = try fill()
        try folder.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO decision (boot, since_boot_ms, time_ms, is_trusted, subject, text, count)
            SELECT 'first', i, i, 1, 'x', printf('%100000s', ''), 1 FROM n
            """)
        let connection = try DatabaseQueue(path: folder.database)
        _ = try connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try connection.close()
        var bytes = try Data(contentsOf: file)
        #expect(bytes.count > 16 << 20)
        Damage.zeroed.apply(to: &bytes, page: try filled[150].page(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        let after = try salvaged(queue)
        #expect(after.count > 200 && after.count < 300, "\(after.count)")
        queue.close()
    }

    @Test("No content of a damaged file stops the program.")
    func anyBytes() throws {
        _ = try fill()
        let whole = try Data(contentsOf: file)
        var generator = SplitMix(seed: 7)
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...2000, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try removeAll()
            try bytes.write(to: file)
            let queue = try RecordQueue(path: folder.database)
            queue.close()
        }
    }

    private func record() throws -> Tracking.Record {
        Tracking.Record(
            .motionchange, time: Timestamp(milliseconds: 1_767_225_600_000), isTimeTrusted: true, position: nil,
            isMoving: true, odometer: .zero, trip: 1)
    }

    private func removeAll() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
    }

    /// Returns the number of a 4096-byte page with rows of records, in the middle of these pages.
    func middleLeaf(in bytes: Data) -> Int {
        // The pages of the small tables have at most three rows.
        let leaves = (1..<bytes.count / 4096).filter { bytes[$0 * 4096] == 0x0D && bytes[$0 * 4096 + 4] > 3 }
        return leaves[leaves.count / 2]
    }
}
