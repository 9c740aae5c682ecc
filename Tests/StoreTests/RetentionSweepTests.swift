import GRDB
import Quantities
import Testing
import Tracking

@testable import Store

@Suite("A removal while other records are written")
struct RetentionSweepTests {
    private let folder = TemporaryFolder()

    private func write(_ content: Tracking.Record.Content, to queue: RecordQueue, at second: Double) throws {
        let reading = ClockReading.sample(
            at: second, time: Timestamp(milliseconds: 1_767_225_600_000 + Int64(second * 1000)), isTrusted: true)
        let record = Tracking.Record(
            content, time: reading.time, isTimeTrusted: true, position: nil, isMoving: true, odometer: .zero, trip: 1)
        _ = queue.append(record, state: EngineState(), at: reading)
        _ = try queue.flush(at: reading)
    }

    @Test("A location that is written after the removal of events is removed, and no further event.")
    func newLocation() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in 1...4 { try write(.ping, to: queue, at: Double(second)) }
        let turn = WriteTurn()
        let database = try turn.open(folder.database)
        var sweep = RetentionSweep(
            Retention(records: 2, targets: ["home"]), at: .sample(at: 5, time: .init(milliseconds: 0), isTrusted: true),
            turn: turn)
        while sweep.loss.events == 0 { _ = try sweep.removeSome(database) }
        #expect(sweep.loss.events == 2)
        try write(.location, to: queue, at: 6)
        while try sweep.removeSome(database) {}
        #expect(sweep.loss == Retention.Loss(locations: 1, events: 2))
        let kept = try database.read { try Int64.fetchAll($0, sql: "SELECT sequence FROM record ORDER BY sequence") }
        #expect(kept == [3, 4])
    }
}
