import Contracts
@testable import Delivery
import Foundation
import Peers
import Quantities
import Synchronization
import Tracking
@testable import Upload

/// The clock of this machine, which a test can advance.
final class SteppedClock: Sendable {
    private let ahead = Mutex(Duration.zero)

    var clocks: UploadClocks {
        UploadClocks(now: { UploadClocks.ofTests.now() + self.ahead.withLock { $0 } }, utc: UploadClocks.ofTests.utc)
    }

    func advance(by span: Duration) { ahead.withLock { $0 += span } }
}

/// An upload thread over a queue in memory.
final class RunningWorker: Sendable {
    let queue: MemoryQueue
    private let signal: WakeSignal
    private let received = Mutex<[UploadReport]>([])
    private let wakeUps = Mutex<Int?>(nil)
    private let settled = Mutex(0)

    init(
        _ targets: [UploadTarget], _ records: [StoredRecord] = [],
        timeouts: TransportTimeouts = TransportTimeouts(connect: .seconds(5), answer: .seconds(3)),
        clocks: UploadClocks = .ofTests,
        network: (@Sendable () -> NetworkMonitor)? = nil
    ) throws {
        queue = MemoryQueue(records)
        signal = try WakeSignal()
        Thread { [self] in
            let worker = UploadLoop(
                targets: targets, queue: queue, signal: signal, clocks: clocks, seed: 1, timeouts: timeouts,
                network: network?(), report: { report in self.received.withLock { $0.append(report) } },
                count: { _, _ in self.settled.withLock { $0 += 1 } })
            worker.run()
            wakeUps.withLock { $0 = worker.wakeUps }
        }.start()
    }

    func append(_ sequence: Int64) {
        queue.append(SampleRecords.location(sequence))
        signal.recordsCommitted()
    }

    func append(_ record: StoredRecord) {
        queue.append(record)
        signal.recordsCommitted()
    }

    func networkReturned() { signal.networkReturned() }

    /// Makes the thread read the clock.
    func wake() { signal.ask() }

    /// The number of uploads that have a verdict.
    var attempts: Int { settled.withLock { $0 } }

    func permit(_ permission: UploadPermission) { signal.permit(permission) }

    func drains(_ target: String = "home") -> Bool {
        eventually { (try? queue.count(awaiting: target)) == 0 }
    }

    func reports(_ matches: (UploadReport.Event) -> Bool) -> Bool {
        eventually { reports.contains(where: matches) }
    }

    var reports: [UploadReport.Event] { received.withLock { $0.map(\.event) } }

    /// Stops the thread; returns the number of its wake-ups, or nil if the thread does not end within 2 s.
    @discardableResult
    func stop() -> Int? {
        let before = UploadClocks.ofTests.now()
        signal.stop()
        guard eventually({ wakeUps.withLock { $0 != nil } }) else { return nil }
        guard UploadClocks.ofTests.now() - before < .seconds(2) else { return nil }
        return wakeUps.withLock { $0 }
    }
}
