import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The worker of a target")
struct TargetWorkerTests {
    /// A transport over which a server accepts each payload before the worker has prepared the next one.
    private final class FastTransport: Transport {
        private var outcomes: [BatchOutcome] = []
        let watches: [Watch] = []
        let deadline: Instant? = nil

        func send(_ payload: WirePayload, as id: Int, at now: Instant) {
            outcomes.append(BatchOutcome(id: id, verdict: .delivered))
        }

        func advance(at now: Instant) -> [BatchOutcome] {
            defer { outcomes = [] }
            return outcomes
        }

        func breakOff() {}
        func close() {}
    }

    @Test("Records that a server accepts while the next ones are prepared do not wait for a timer.")
    func acceptsMeanwhile() throws {
        // The clock stands still, and no socket becomes ready.
        let now = Instant.boot + .seconds(100)
        let clocks = UploadClocks(now: { now }, utc: UploadClocks.ofTests.utc)
        let queue = MemoryQueue(SampleRecords.many(500))
        let worker = try TargetWorker(
            .sample("http://127.0.0.1:1/pub", "owntracks"), queue, FastTransport(), Jitter(seed: 1), clocks,
            report: { _ in }, count: { _, _ in })
        for _ in 0..<1000 where worker.deadline.map({ $0 <= now }) ?? false { worker.turn(at: now) }
        #expect(try queue.count(awaiting: "home") == 0)
    }
}
