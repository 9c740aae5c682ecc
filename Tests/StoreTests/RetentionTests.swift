import Foundation
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

    /// Returns a reading of the clock; an untrusted clock is years ahead.
    private func reading(_ second: Double, isTrusted: Bool = true) -> ClockReading {
        let time = Self.start + Duration(inSeconds: second + (isTrusted ? 0 : 5000 * Self.day))
        return .sample(at: second, time: time, isTrusted: isTrusted)
    }

    /// Writes a record, and waits for the removal; a record that is an event causes a commit, which applies the bounds.
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
        try waitForRemoval(queue, at: reading)
    }

    private func waitForRemoval(_ queue: RecordQueue, at reading: ClockReading) throws {
        if queue.isRemoving { try queue.tend(at: reading) { _ in !queue.isRemoving } }
        #expect(!queue.isRemoving)
    }

    private func kept() throws -> [Int64] {
        try DatabaseQueue(path: folder.database).read { database in
            try Int64.fetchAll(database, sql: "SELECT sequence FROM record ORDER BY sequence")
        }
    }

    private func filled(_ retention: Retention, count: Int = 6) throws -> RecordQueue {
        let queue = try RecordQueue(path: folder.database)
        // Every second record is a location, and the others are events.
        for number in 1...count { try write(queue, at: Double(number), number % 2 == 0 ? .location : .ping) }
        _ = try queue.flush(at: reading(Double(count)))
        queue.retention = retention
        return queue
    }

    @Test("Without bounds, all records remain.")
    func unbounded() throws {
        let queue = try filled(Retention(targets: ["home"]))
        try write(queue, at: 5000 * Self.day)
        #expect(try kept() == [1, 2, 3, 4, 5, 6, 7])
        #expect(queue.takeLoss() == nil)
    }

    @Test("A changed bound applies from the next commit on, even within an hour of the last deletion.")
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

    @Test("Beyond `maxRecordsToPersist`, delivered records are deleted first, beginning with the oldest.")
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

    @Test("Undelivered records are deleted last, locations before events.")
    func undelivered() throws {
        let queue = try filled(Retention(records: 3, targets: ["home"]))
        try DeliveryTable(path: folder.database).markDelivered([1], to: "home")
        try write(queue, at: 4000)
        #expect(try kept() == [3, 5, 7])
        #expect(queue.takeLoss() == .init(delivered: 1, locations: 3))
        queue.retention.records = 1
        try write(queue, at: 8000)
        #expect(try kept() == [8])
        #expect(queue.takeLoss() == .init(events: 3))
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
            try waitForRemoval(queue, at: reading)
            #expect(try kept().count == count)
        }
    }

    @Test("A record counts as delivered if no target is configured, or if the record is withheld.")
    func nobody() throws {
        let queue = try filled(Retention(records: 2), count: 2)
        try write(queue, at: 4000)
        #expect(try kept() == [2, 3])
        #expect(queue.takeLoss() == .init(delivered: 1))
        queue.retention = Retention(records: 2, targets: ["home"])
        try write(queue, at: 4001, isWithheld: true)
        try write(queue, at: 8000)
        #expect(try kept() == [3, 5])
        #expect(queue.takeLoss() == .init(delivered: 1, locations: 1))
    }

    @Test("Records older than `maxDaysToPersist` are deleted, delivered or not.")
    func days() throws {
        let queue = try filled(Retention(days: 2, targets: ["home"]), count: 3)
        try DeliveryTable(path: folder.database).markDelivered([1], to: "home")
        try write(queue, at: 2 * Self.day + 2)
        #expect(try kept() == [2, 3, 4])
        try write(queue, at: 2 * Self.day + 4000)
        #expect(try kept() == [4, 5])
        #expect(queue.takeLoss() == .init(delivered: 1, locations: 1, events: 1))
    }

    @Test("With a clock that is not set, no record is deleted; records dated by it are deleted with their neighbours.")
    func clock() throws {
        let queue = try filled(Retention(days: 2), count: 1)
        try write(queue, at: 2.5 * Self.day, isTrusted: false)
        #expect(try kept() == [1, 2])
        try write(queue, at: 3 * Self.day)
        #expect(try kept() == [3])
    }

    @Test("The bounds are enforced at most once an hour, during a commit that happens anyway.")
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

    @Test(
        "A hundred thousand records are removed in small transactions, while other records are written and delivered.")
    func portions() throws {
        _ = try filled(Retention(), count: 1)
        try grow(through: 100_000)
        let queue = try RecordQueue(path: folder.database)
        queue.retention = Retention(records: 10)
        _ = queue.append(record(second: 1), state: EngineState(), at: reading(1))
        _ = try queue.flush(at: reading(1))
        #expect(queue.isRemoving)
        let table = try DeliveryTable(path: folder.database)
        var during = 0
        while queue.isRemoving, during < 20 {
            during += 1
            _ = queue.append(record(second: Double(during + 1)), state: EngineState(), at: reading(Double(during + 1)))
            _ = try queue.flush(at: reading(Double(during + 1)))
            _ = try table.oldest(awaiting: "home", limit: 20, excluding: [])
        }
        #expect(during == 20)
        try waitForRemoval(queue, at: reading(30))
        // On a busy machine, some of the 20 records are written after the last count; the next removal counts these.
        #expect(try kept().suffix(10) == Array(100_012...100_021)[...] && kept().count <= 30)
    }

    @Test("Beyond `maxBytesToPersist` the oldest records are deleted, pages are reused, and the file does not grow.")
    func bytes() throws {
        _ = try filled(Retention(), count: 1)
        try grow(through: 20_000)
        let queue = try RecordQueue(path: folder.database)
        queue.retention = Retention(bytes: 1 << 20)
        try write(queue, at: 1)
        let figures = try SetAsideTable(reading: folder.database).figures()
        #expect((900_000...1 << 20).contains(figures.bytes))
        #expect(figures.removed.delivered > 5000 && figures.removed.undelivered == 0)
        #expect(try kept().last == 20_001)
        let size = try fileSize()
        try grow(through: 24_000)
        #expect(try fileSize() == size)
    }

    @Test("An undelivered track is thinned before other locations are deleted, and stays within 10 m at every time.")
    func thinning() throws {
        let queue = try RecordQueue(path: folder.database)
        var track: [(time: Double, coordinate: Coordinate)] = []
        for second in 0..<600 {
            // The vehicle drives at 20 m/s to the east, turns after 200 s, and stops after 400 s.
            let along = Double(min(second, 400)) * 20
            let aside = max(0, Double(min(second, 400)) - 200) * 10
            let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
                .moved(east: Metres(along), north: Metres(aside))
            track.append((Double(second), place))
            _ = queue.append(
                record(second: Double(second), at: place), state: EngineState(), at: reading(Double(second)))
        }
        queue.retention = Retention(records: 100, targets: ["home"])
        try write(queue, at: 600)
        let loss = try #require(queue.takeLoss())
        #expect(loss.thinned >= 501 && loss.locations == 0 && loss.events == 0)
        let rest = try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 1000, excluding: [])
            .filter { $0.record.kind == .location }
        for (time, place) in track {
            let moment = Self.start + Duration(inSeconds: time)
            let after = try #require(rest.firstIndex { $0.record.time >= moment })
            let (next, last) = (rest[after].record, rest[max(0, after - 1)].record)
            let span = max(1, (next.time - last.time).inSeconds)
            let (a, b) = (try #require(last.position?.coordinate), try #require(next.position?.coordinate))
            let share = min(1, max(0, (moment - last.time).inSeconds / span))
            let offset = a.offset(to: b)
            let there = a.moved(east: Metres(offset.east.value * share), north: Metres(offset.north.value * share))
            #expect(there.distance(to: place).value <= 10.1, "at \(time) s")
        }
    }

    @Test("Trips, transitions and alarms are removed last, after locations and minor events.")
    func vital() throws {
        let queue = try RecordQueue(path: folder.database)
        let contents: [Tracking.Record.Content] = [
            .health(HealthReport(.storageFailing)), .ping, .motionchange, .location, .ping, .location,
        ]
        for (second, content) in contents.enumerated() { try write(queue, at: Double(second), content) }
        for (limit, expected) in [(5, [1, 2, 3, 5, 7]), (3, [3, 7, 8]), (2, [8, 9])] as [(Int, [Int64])] {
            queue.retention = Retention(records: limit, targets: ["home"])
            try write(queue, at: 10, .motionchange)
            #expect(try kept() == expected)
        }
    }

    @Test("If a power cut prevents the report of a loss, the report follows after the next start.")
    func unreported() throws {
        let queue = try filled(Retention(records: 2, targets: ["home"]))
        try write(queue, at: 10)
        // The program reads the loss, but the power is cut before the next commit.
        #expect(queue.takeLoss() == .init(locations: 3, events: 2))
        let next = try RecordQueue(path: folder.database)
        #expect(next.takeLoss() == .init(locations: 3, events: 2))
        try write(next, at: 20)
        let last = try RecordQueue(path: folder.database)
        #expect(last.takeLoss() == nil)
        #expect(try SetAsideTable(reading: folder.database).figures().removed == .init(locations: 3, events: 2))
    }

    @Test("A record that will be sent again counts as undelivered.")
    func due() throws {
        let queue = try filled(Retention(), count: 3)
        let table = try DeliveryTable(path: folder.database)
        try table.setAside(1, for: "home", reason: "no")
        try table.markDelivered([2, 3], to: "home")
        #expect(try SetAsideTable(path: folder.database).sendAgain([1], to: "home") == 1)
        queue.retention = Retention(records: 2, targets: ["home"])
        try write(queue, at: 10)
        #expect(try kept() == [1, 4])
    }

    private func record(second: Double, at place: Coordinate? = nil) -> Tracking.Record {
        Tracking.Record(
            .location, time: Self.start + Duration(inSeconds: second), isTimeTrusted: true,
            position: place.map { Position(coordinate: $0) }, isMoving: true, odometer: .zero, trip: 1)
    }

    private func fileSize() throws -> Int {
        try DatabaseQueue(path: folder.database).read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    }

    /// Adds unreadable locations until the newest record has this number.
    private func grow(through last: Int) throws {
        let insert = """
            WITH RECURSIVE n(i) AS (SELECT (SELECT MAX(sequence) + 1 FROM record) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO record (sequence, uuid, kind, time_ms, delay_ms, flags, rest)
            SELECT i, randomblob(16), 0, i, 0, 0, hex(randomblob(40)) FROM n
            """
        try DatabaseQueue(path: folder.database).write { try $0.execute(sql: insert, arguments: [last]) }
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
