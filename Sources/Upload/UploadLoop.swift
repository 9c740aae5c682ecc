//  Upload: sends the records of the queue to the owner's servers.
//
//  This target uses the queue only through `DeliveryQueue`; it imports neither the database nor the daemon. The pure parts are
//  `Formats/` (records to bytes), `Reply` (answers to verdicts) and `Delivery/` (what is sent when). The shell is `Transports/`
//  over libcurl and libmosquitto, `TargetWorker` (one target), and this file (the thread's loop). Start reading with `Delivery`.

internal import Glibc
internal import Quantities
package import Tracking

/// The upload thread's loop: it waits in one `poll` for all sockets, the wake signal and the next deadline.
///
/// With empty queues the only deadline is MQTT's keep-alive, so the thread sleeps. Make and run the loop on the same thread. That
/// thread blocks SIGPIPE, which a library may raise when a server closes the connection.
package final class UploadLoop {
    private let signal: WakeSignal
    private let clocks: UploadClocks
    private let workers: [TargetWorker]
    private var rules: UploadRules?

    /// The number of times that `run` has woken up; tests measure rest with it.
    package private(set) var wakeUps = 0

    /// Makes the loop; `seed` spreads the retry pauses, and `run` calls `report` on its own thread.
    package init(
        targets: [UploadTarget], queue: any DeliveryQueue, signal: WakeSignal, clocks: UploadClocks, seed: UInt64,
        timeouts: TransportTimeouts = TransportTimeouts(), report: @escaping (UploadReport) -> Void
    ) {
        self.signal = signal
        self.clocks = clocks
        workers = targets.enumerated().map { index, target in
            TargetWorker(
                target, queue, target.transport.make(target, clocks, timeouts),
                Jitter(seed: seed &+ UInt64(index)), report: report)
        }
    }

    /// Uploads until `WakeSignal.stop()` is called; returns well within 2 s after that call.
    package func run() {
        Self.blockBrokenPipes()
        while true {
            let now = clocks.now()
            // While uploads are suspended, sockets and deadlines wait until uploads resume, which raises the signal.
            let isHeld = signal.isHeld
            let watches = isHeld ? [] : workers.map(\.watches)
            let ready = wait(for: watches, until: isHeld ? nil : workers.compactMap(\.deadline).min(), at: now)
            wakeUps += 1
            let raised = signal.take()
            signal.answer()
            if raised.stop { break }
            let changed = signal.rules.flatMap { $0 == rules ? nil : $0 }
            rules = changed ?? rules
            let awake = clocks.now()
            for (index, worker) in workers.enumerated() {
                if let changed { worker.signal(.rules(changed)) }
                if raised.records { worker.signal(.recordsCommitted) }
                if raised.network { worker.signal(.networkReturned) }
                guard !isHeld, !signal.isHeld else {
                    worker.rest(at: awake)
                    continue
                }
                let isDue = worker.deadline.map { awake >= $0 } ?? false
                if isDue || watches[index].contains(where: { ready.contains($0.descriptor) }) { worker.turn(at: awake) }
            }
        }
        for worker in workers { worker.close(at: clocks.now()) }
    }

    /// Waits and returns the descriptors that are ready.
    private func wait(for watches: [[Watch]], until deadline: Instant?, at now: Instant) -> [Int32] {
        var sockets = [pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)]
        for watch in watches.joined() {
            let events = (watch.reads ? POLLIN : 0) | (watch.writes ? POLLOUT : 0)
            sockets.append(pollfd(fd: watch.descriptor, events: Int16(events), revents: 0))
        }
        guard poll(&sockets, nfds_t(sockets.count), Self.milliseconds(from: now, to: deadline)) > 0 else { return [] }
        return sockets.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Returns the time in milliseconds, rounded up, so that the deadline has passed when the wait ends.
    private static func milliseconds(from now: Instant, to deadline: Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = max(0, (deadline - now).nanoseconds)
        return Int32(clamping: rest / 1_000_000 + (rest % 1_000_000 == 0 ? 0 : 1))
    }

    private static func blockBrokenPipes() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
