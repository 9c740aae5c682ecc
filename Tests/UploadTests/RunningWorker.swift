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
    private let signal: UploadSignal
    private let told = Mutex<[UploadReport]>([])
    private let wakeUps = Mutex<Int?>(nil)

    init(
        _ targets: [UploadTarget], _ records: [StoredRecord] = [],
        patience: TransportPatience = TransportPatience(connect: .seconds(5), answer: .seconds(3))
    ) throws {
        queue = MemoryQueue(records)
        signal = try UploadSignal()
        Thread { [self] in
            let worker = UploadWorker(
                targets: targets, queue: queue, signal: signal, clock: .ofTests, seed: 1, patience: patience
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
    func reports(_ matches: (UploadReport.News) -> Bool) -> Bool {
        eventually { news.contains(where: matches) }
    }

    var news: [UploadReport.News] { told.withLock { $0.map(\.news) } }

    /// Stops the thread; gives how often it has woken up, nothing when it does not end within 2 s.
    @discardableResult
    func stop() -> Int? {
        let before = UploadClock.ofTests.now()
        signal.stop()
        guard eventually({ wakeUps.withLock { $0 != nil } }) else { return nil }
        guard UploadClock.ofTests.now() - before < .seconds(2) else { return nil }
        return wakeUps.withLock { $0 }
    }
}
