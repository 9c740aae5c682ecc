//  Upload: brings the records of the queue to the owner's servers.
//
//  Knows the queue only through `DeliveryQueue`, and imports neither the database nor the daemon. Pure: `Formats/`
//  (records to bytes, answers to verdicts) and `Delivery/` (what goes when). Shell: `Transports/` over libcurl and
//  libmosquitto, `UploadLane` (one target), and this file (the thread). Start reading with `Delivery`.

internal import Glibc
internal import Quantities

/// The upload thread's loop: waits in one `poll` for all sockets, the signal and the next deadline.
///
/// With empty queues there is no deadline but the keep-alive of MQTT, and so no wake-up. Make it and run it on the same
/// thread; that thread blocks SIGPIPE, which a library may raise when a server hangs up.
package final class UploadWorker {
    private let signal: UploadSignal
    private let clock: UploadClock
    private let lanes: [UploadLane]

    /// How often `run` has woken up, for those who measure rest.
    package private(set) var wakeUps = 0

    /// Makes the loop; `seed` spreads the pauses, `report` is called on the thread that runs it.
    package init(
        targets: [UploadTarget], queue: any DeliveryQueue, signal: UploadSignal, clock: UploadClock, seed: UInt64,
        patience: TransportPatience = TransportPatience(), report: @escaping (UploadReport) -> Void
    ) {
        self.signal = signal
        self.clock = clock
        lanes = targets.enumerated().map { index, target in
            UploadLane(
                target, queue, target.transport.make(target, clock, patience),
                Jitter(seed: seed &+ UInt64(index)), report: report)
        }
    }

    /// Uploads until `UploadSignal.stop()`; returns well within 2 s of that.
    package func run() {
        Self.blockBrokenPipes()
        while true {
            let now = clock.now()
            // Held, the lanes sleep: sockets and deadlines wait for the release, which is signalled.
            let isHeld = signal.isHeld
            let watches = isHeld ? [] : lanes.map(\.watches)
            let ready = wait(for: watches, until: isHeld ? nil : lanes.compactMap(\.deadline).min(), at: now)
            wakeUps += 1
            let taken = signal.take()
            if taken.stop { break }
            let awake = clock.now()
            for (index, lane) in lanes.enumerated() {
                if taken.records { lane.signal(.recordsCommitted) }
                if taken.network { lane.signal(.networkReturned) }
                guard !isHeld, !signal.isHeld else {
                    lane.rest(at: awake)
                    continue
                }
                let isDue = lane.deadline.map { awake >= $0 } ?? false
                if isDue || watches[index].contains(where: { ready.contains($0.descriptor) }) { lane.turn(at: awake) }
            }
        }
        for lane in lanes { lane.close(at: clock.now()) }
    }

    /// Waits; gives the descriptors that are ready.
    private func wait(for watches: [[Watch]], until deadline: Instant?, at now: Instant) -> [Int32] {
        var sockets = [pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)]
        for watch in watches.joined() {
            let events = (watch.reads ? POLLIN : 0) | (watch.writes ? POLLOUT : 0)
            sockets.append(pollfd(fd: watch.descriptor, events: Int16(events), revents: 0))
        }
        guard poll(&sockets, nfds_t(sockets.count), Self.milliseconds(from: now, to: deadline)) > 0 else { return [] }
        return sockets.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Rounded up, so that a deadline has come when the wait is over.
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
