import Quantities
import Store
import Testing
import Tracking

@Suite("Reading many records")
struct HistoryScanTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private func store(_ points: [(second: Int64, trip: Int?)]) throws {
        let queue = try RecordQueue(path: folder.database)
        for (index, point) in points.enumerated() {
            let record = Tracking.Record(
                .location, time: Self.start + .seconds(point.second), isTimeTrusted: true, position: nil,
                isMoving: true,
                odometer: Metres(Double(index)), trip: point.trip)
            _ = queue.append(record, state: EngineState(), at: .sample(at: 0, time: Self.start))
        }
        _ = try queue.flush(at: .sample(at: 0, time: Self.start))
        queue.close()
    }

    private func sequences(_ span: RecordSpan) throws -> [Int64] {
        var found: [Int64] = []
        try History(path: folder.database).forEach(in: span) { found.append($0.sequence) }
        return found
    }

    @Test("Records are read in order of time, including records that were made late or at the same time.")
    func order() throws {
        try store([(10, 1), (5, 1), (10, 1), (7, 1)])
        #expect(try sequences(RecordSpan()) == [2, 4, 1, 3])
    }

    @Test("A span includes both ends, and a trip includes only its own records.")
    func selection() throws {
        try store([(0, nil), (10, 1), (20, 2), (30, 2), (40, 2)])
        let from = Self.start + .seconds(10)
        #expect(try sequences(RecordSpan(from: from, to: from + .seconds(20))) == [2, 3, 4])
        #expect(try sequences(RecordSpan(trip: 2)) == [3, 4, 5])
        #expect(try sequences(RecordSpan(from: from + .seconds(20), trip: 2)) == [4, 5])
        #expect(try sequences(RecordSpan(from: from + .seconds(100))) == [])
        #expect(try History(path: folder.database).known() == Self.start...(Self.start + .seconds(40)))
    }

    @Test("Many records with equal times are read once each.")
    func pages() throws {
        try store((0..<2001).map { (Int64($0 / 700), 1) })
        #expect(try sequences(RecordSpan()) == Array(1...2001))
    }

    @Test("A record that cannot be read is counted, and the others are read.")
    func unreadable() throws {
        try store([(0, 1), (1, 1), (2, 1)])
        try folder.execute("UPDATE record SET rest = 'torn' WHERE sequence = 2")
        let scan = try History(path: folder.database)
        var found: [Int64] = []
        try scan.forEach(in: RecordSpan()) { found.append($0.sequence) }
        #expect(found == [1, 3])
        #expect(scan.unreadableCount == 1)
    }
}
