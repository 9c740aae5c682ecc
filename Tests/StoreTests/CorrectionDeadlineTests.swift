import Quantities
import Store
import Testing
import Tracking

@Suite("The deadline of a correction")
struct CorrectionDeadlineTests {
    @Test("A correction of records on disk is committed after the usual interval, though no record follows.")
    func deadline() throws {
        let folder = TemporaryFolder()
        let queue = try RecordQueue(path: folder.database)
        let wrong = ClockReading.sample(at: 20, time: Timestamp(milliseconds: 1_760_000_000_000), isTrusted: false)
        let departure = Record(
            .motionchange, time: wrong.time, isTimeTrusted: false, position: nil, isMoving: true, odometer: .zero,
            trip: 1)
        _ = queue.append(departure, state: EngineState(), at: wrong)
        _ = try queue.settle(at: wrong)
        let reading = ClockReading.sample(at: 50)
        let correction = ClockCorrection(
            boot: reading.boot, before: Instant(seconds: 50), bootTime: reading.bootTime)
        #expect(queue.correctTimestamps(correction, at: reading.now))
        #expect(queue.flushDeadline == Instant(seconds: 55))
        #expect(try queue.flush(at: .sample(at: 55)))
        #expect(queue.flushDeadline == nil)
        let delivered = try DeliveryTable(path: folder.database).oldest(awaiting: "home", limit: 9, excluding: [])
        #expect(delivered.map(\.record.isTimeTrusted) == [true])
    }
}
