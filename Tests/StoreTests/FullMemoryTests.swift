import Foundation
import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("A queue whose memory is full while the disk accepts no records")
struct FullMemoryTests {
    private static let home = Coordinate(latitude: 52.5, longitude: 13.4)
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)
    private let folder = TemporaryFolder()
    private let alarm = QueueAlarm()
    private let queue: RecordQueue

    init() throws {
        let lock = try QueueLock(path: folder.database)
        queue = try RecordQueue.open(path: folder.database, grouping: .init(), alarm: alarm, lock: lock).queue
    }

    /// Appends a record; `east` and `north` are its distances from the start of the drive, in metres.
    @discardableResult
    private func append(
        _ content: Tracking.Record.Content = .location, second: Int, east: Double? = nil, north: Double = 0
    ) throws -> StoredRecord {
        let place = try east.map { try #require(Self.home).moved(east: Metres($0), north: Metres(north)) }
        let time = Self.start + .seconds(second)
        let record = Tracking.Record(
            content, time: time, isTimeTrusted: true, position: place.map { Position(coordinate: $0) }, isMoving: true,
            odometer: .zero, trip: 1)
        return queue.append(record, state: EngineState(), at: .sample(at: Double(second), time: time))
    }

    private func onDisk() throws -> [StoredRecord] {
        try DeliveryTable(path: folder.database).oldest(awaiting: "nobody", limit: 20_000, excluding: [])
    }

    /// How many records the queue has removed, as in the output of `trackerd status`.
    private func removed() throws -> Retention.Loss {
        try SetAsideTable(reading: folder.database).figures().removed
    }

    @Test("A long straight drive keeps its shape, its first point and its events.")
    func straight() throws {
        var drive: [StoredRecord] = []
        for second in 0..<25_000 {
            let content: Tracking.Record.Content = second % 5000 == 4000 ? .motionchange : .location
            // A road that turns by a right angle every 1000 s.
            let (leg, rest) = (second / 1000, Double(second % 1000))
            let east = Double((leg + 1) / 2 * 1000) + (leg % 2 == 0 ? rest : 0)
            let north = Double(leg / 2 * 1000) + (leg % 2 == 1 ? rest : 0)
            drive.append(try append(content, second: second, east: 20 * east, north: 20 * north))
        }
        #expect(queue.waitingCount <= RecordQueue.mostWaiting)
        let loss = queue.memoryLoss
        #expect(loss == .init(thinned: drive.count - queue.waitingCount))
        _ = try queue.flush(at: .sample(at: 25_000))
        let kept = try onDisk()
        #expect(kept.first == drive.first && kept.last == drive.last)
        #expect(kept.count { $0.record.kind == .motionchange } == 5)
        var after = 0
        for one in drive {
            while kept[after].record.time < one.record.time { after += 1 }
            let deviation = try deviation(of: one.record, between: kept[max(0, after - 1)].record, kept[after].record)
            if deviation > 10.2 { Issue.record("\(deviation) m at \(one.sequence) s") }
        }
        #expect(try removed() == loss)
    }

    @Test("If thinning frees no memory, the queue removes the oldest locations, and not events.")
    func oldest() throws {
        try append(.motionchange, second: 0)
        for second in 1..<(RecordQueue.mostWaiting + 5) { try append(second: second) }
        #expect(queue.waitingCount == RecordQueue.mostWaiting)
        #expect(queue.memoryLoss == .init(locations: 5))
        _ = try queue.flush(at: .sample())
        #expect(try onDisk().prefix(3).map(\.sequence) == [1, 7, 8])
    }

    @Test("A winding drive loses its oldest locations, but its later straight part is thinned.")
    func winding() throws {
        for second in 0..<RecordQueue.mostWaiting {
            try append(second: second, east: Double(second) * 20, north: second % 2 == 0 ? 0 : 100)
        }
        for second in RecordQueue.mostWaiting..<(RecordQueue.mostWaiting + 1000) {
            try append(second: second, east: Double(second) * 20)
        }
        // The queue removes its oldest locations until it contains enough of the straight part to thin it.
        #expect((1...150).contains(queue.memoryLoss.locations))
        #expect(queue.memoryLoss.thinned > 800)
        #expect(queue.memoryLoss.undelivered == RecordQueue.mostWaiting + 1000 - queue.waitingCount)
    }

    @Test("Locations that every target has received are removed first, and do not count as lost.")
    func delivered() throws {
        queue.retention.targets = ["home", "work"]
        for second in 0..<RecordQueue.mostWaiting { try append(second: second, east: Double(second) * 20) }
        queue.offerWaiting()
        let uploads = CombinedQueue(path: folder.database, alarm: alarm)
        try uploads.markDelivered(Array(50...100), to: "home")
        try uploads.markDelivered(Array(60...110), to: "work")
        for second in 0..<41 { try append(second: RecordQueue.mostWaiting + second, east: 300_000) }
        #expect(queue.memoryLoss == .init(delivered: 41))
        try append(second: RecordQueue.mostWaiting + 50, east: 300_000)
        #expect(queue.memoryLoss.thinned > 900 && queue.memoryLoss.locations == 0)
        _ = try queue.flush(at: .sample())
        let numbers = try Set(onDisk().map(\.sequence))
        #expect(numbers.isDisjoint(with: 60...100) && numbers.contains(1))
    }

    @Test("Minor events are removed before others if memory contains only events.")
    func events() throws {
        for second in 0..<RecordQueue.mostWaiting {
            try append(second == 3 || second == 9000 ? .ping : .motionchange, second: second)
        }
        for second in 0..<3 { try append(.motionchange, second: RecordQueue.mostWaiting + second) }
        #expect(queue.memoryLoss == .init(events: 3))
        _ = try queue.flush(at: .sample())
        let numbers = try Set(onDisk().map(\.sequence))
        #expect(numbers.isDisjoint(with: [4, 9001, 1]) && numbers.contains(2))
    }

    @Test("After each failure of the disk, the loss of this failure is reported once.")
    func reported() throws {
        for second in 0..<(RecordQueue.mostWaiting + 7) { try append(second: second) }
        #expect(queue.takeMemoryLoss() == nil)
        _ = try queue.flush(at: .sample())
        #expect(queue.takeMemoryLoss() == .init(locations: 7))
        #expect(queue.takeMemoryLoss() == nil && queue.takeLoss() == nil)
        #expect(queue.memoryLoss == .init())
        for second in 0..<(RecordQueue.mostWaiting + 2) { try append(second: second) }
        _ = try queue.flush(at: .sample())
        #expect(queue.takeMemoryLoss() == .init(locations: 2))
        #expect(try removed() == .init(locations: 9))
        // The next start does not report these losses again, except the last one, whose report is not on disk.
        queue.close()
        #expect(try RecordQueue(path: folder.database).takeLoss() == .init(locations: 2))
    }

    /// Returns the metres from a record to the position that is interpolated for its time between two others.
    private func deviation(
        of one: Tracking.Record, between last: Tracking.Record, _ next: Tracking.Record
    ) throws -> Double {
        let (a, b) = (try #require(last.position?.coordinate), try #require(next.position?.coordinate))
        let span = (next.time - last.time).inSeconds
        let share = span > 0 ? (one.time - last.time).inSeconds / span : 0
        let offset = a.offset(to: b)
        let there = a.moved(east: Metres(offset.east.value * share), north: Metres(offset.north.value * share))
        return there.distance(to: try #require(one.position?.coordinate)).value
    }
}
