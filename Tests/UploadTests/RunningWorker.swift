import Foundation
import Quantities
import Synchronization
import Peers
import Testing
import Tracking
import Contracts

@testable import Upload

/// An upload thread over a queue in memory.
final class RunningWorker: Sendable {
    let queue: MemoryQueue
    private let signal: WakeSignal
    private let told = Mutex<[UploadReport]>([])
    private let wakeUps = Mutex<Int?>(nil)

    init(
        _ targets: [UploadTarget], _ records: [StoredRecord] = [],
        timeouts: TransportTimeouts = TransportTimeouts(connect: .seconds(5), answer: .seconds(3))
    ) throws {
        queue = MemoryQueue(records)
        signal = try WakeSignal()
        Thread { [self] in
            let worker = UploadLoop(
                targets: targets, queue: queue, signal: signal, clocks: .ofTests, seed: 1, timeouts: timeouts
            ) { report in self.told.withLock { $0.append(report) } }
            worker.run()
            wakeUps.withLock { $0 = worker.wakeUps }
        }.start()
    }

    func append(_ sequence: Int64) {
        queue.append(SampleRecords.location(sequence))
        signal.recordsCommitted()
    }

    func networkReturned() { signal.networkReturned() }

    /// Waits until nothing awaits the target any more.
    func drains(_ target: String = "home") -> Bool {
        eventually { (try? queue.count(awaiting: target)) == 0 }
    }

    /// Waits for a report.
    func reports(_ matches: (UploadReport.Event) -> Bool) -> Bool {
        eventually { reports.contains(where: matches) }
    }

    var reports: [UploadReport.Event] { told.withLock { $0.map(\.event) } }

    /// Stops the thread; gives how often it has woken up, nothing when it does not end within 2 s.
    @discardableResult
    func stop() -> Int? {
        let before = UploadClocks.ofTests.now()
        signal.stop()
        guard eventually({ wakeUps.withLock { $0 != nil } }) else { return nil }
        guard UploadClocks.ofTests.now() - before < .seconds(2) else { return nil }
        return wakeUps.withLock { $0 }
    }
}
