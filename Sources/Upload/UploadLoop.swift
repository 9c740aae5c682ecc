//  The module Upload sends the records of the queue to the owner's servers.
//
// The modules Formats (records to bytes, answers to verdicts) and Delivery (which records a target receives, and when) are
// pure; this module has the side effects. `UploadLoop` is the thread, and a `TargetWorker` serves one target over `HTTP/` or
// `MQTT/`. Start reading with `Delivery`.

package import Delivery
package import Formats
internal import Glibc
internal import Quantities
internal import Tracking

/// The upload thread's loop, which waits in one `poll` for all sockets, the wake signal and the next deadline. Make and
/// run it on the same thread. It blocks SIGPIPE there, because a library may raise that signal when a server closes the
/// connection. With empty queues, only rare deadlines remain, such as MQTT's keep-alive.
package final class UploadLoop {
    private let signal: WakeSignal
    private let clocks: UploadClocks
    private var workers: [TargetWorker]
    private let makeWorkers: ([UploadTarget]) -> [TargetWorker]
    private let network: NetworkMonitor?
    private let mark: (String?) -> Void
    private var rules: UploadRules?
    private var sleeper = BriefWait()
    private var permission = UploadPermission.allowed
    private var regionQuery: RegionQuery?
    /// When uploads are suspended even if records are waiting; nil unless uploads are finishing.
    private var finishingEnd: Instant?

    /// The time to send waiting records before uploads are suspended.
    package static let finishingTime: Duration = .seconds(600)

    /// The number of wake-ups, by which tests check that the loop sleeps.
    package private(set) var wakeUps = 0

    /// `seed` spreads the retry pauses. The loop's thread calls `count` with each verdict, and `mark` with a target's
    /// name before each of its turns and with nil afterwards.
    package init(
        targets: [UploadTarget], queue: any DeliveryQueue, signal: WakeSignal, clocks: UploadClocks, seed: UInt64,
        timeouts: TransportTimeouts = TransportTimeouts(), network: NetworkMonitor? = nil,
        report: @escaping (UploadReport) -> Void, count: @escaping (String, Verdict) -> Void = { _, _ in },
        mark: @escaping (String?) -> Void = { _ in }
    ) {
        self.signal = signal
        self.mark = mark
        self.clocks = clocks
        self.network = network
        makeWorkers = { targets in
            targets.enumerated().map { index, target in
                TargetWorker(
                    target, queue, target.makeTransport(clocks, timeouts),
                    Jitter(seed: seed &+ UInt64(index)), clocks, report: report, count: count)
            }
        }
        workers = makeWorkers(targets)
    }

    /// Returns within 2 s after `WakeSignal.stop()`.
    package func run() {
        Self.blockBrokenPipes()
        if let state = network?.state { follow(state, isNew: false, breaksConnections: false, at: clocks.now()) }
        while true {
            let now = clocks.now()
            // A worker that must not send has no sockets, and waits only for secrets or the next month's budget.
            var watches = workers.map(\.watches)
            let ready = wait(for: watches, until: deadline, at: now)
            wakeUps += 1
            let raised = signal.take()
            signal.answer()
            if raised.stop { break }
            if let targets = signal.takeTargets() {
                replace(by: targets, at: clocks.now())
                // The new workers take their first turn in the next pass.
                watches = []
            }
            let changed = signal.rules.flatMap { $0 == rules ? nil : $0 }
            rules = changed ?? rules
            let awake = clocks.now()
            for worker in workers {
                if let changed { worker.signal(.rules(changed)) }
                if raised.records { worker.signal(.recordsCommitted) }
                if raised.network {
                    worker.signal(.networkReturned)
                    worker.fetchNow(at: awake)
                }
            }
            if let network, ready.contains(network.descriptor), let change = network.take() {
                follow(change.state, isNew: true, breaksConnections: change.breaksConnections, at: awake)
            }
            serveRepaired(at: awake, isAsked: raised.network)
            follow(signal.permission, at: awake)
            follow(signal.regionQuery, at: awake)
            for (worker, watches) in zip(workers, watches) {
                guard !worker.isResting else {
                    worker.rest(at: awake)
                    continue
                }
                let isDue = worker.deadline.map { awake >= $0 } ?? false
                guard isDue || watches.contains(where: { ready.contains($0.descriptor) }) else { continue }
                mark(worker.name)
                worker.turn(at: awake)
                mark(nil)
            }
            suspendFinished(at: awake)
        }
        for worker in workers { worker.close(at: clocks.now()) }
    }

    /// The new workers start with the present rules, permission and network.
    private func replace(by targets: [UploadTarget], at now: Instant) {
        for worker in workers { worker.close(at: now) }
        workers = makeWorkers(targets)
        for worker in workers { begin(worker, at: now) }
    }

    private func begin(_ worker: TargetWorker, at now: Instant) {
        if let rules { worker.signal(.rules(rules)) }
        worker.suspend(permission == .suspended)
        worker.follow(regionQuery, at: now)
        if let state = network?.state { worker.follow(state, isNew: false, breaksConnections: false, at: now) }
    }

    /// Replaces the workers whose missing secrets have appeared.
    private func serveRepaired(at now: Instant, isAsked: Bool) {
        for index in workers.indices {
            guard let target = workers[index].repairedTarget(at: now, isAsked: isAsked),
                let worker = makeWorkers([target]).first
            else { continue }
            workers[index].close(at: now)
            workers[index] = worker
            begin(worker, at: now)
        }
    }

    private var deadline: Instant? {
        (workers.map(\.deadline) + [finishingEnd]).compactMap { $0 }.min()
    }

    private func follow(_ state: NetworkState, isNew: Bool, breaksConnections: Bool, at now: Instant) {
        for worker in workers { worker.follow(state, isNew: isNew, breaksConnections: breaksConnections, at: now) }
    }

    private func follow(_ query: RegionQuery?, at now: Instant) {
        guard query != regionQuery else { return }
        regionQuery = query
        for worker in workers { worker.follow(query, at: now) }
    }

    /// While finishing, `suspendFinished` suspends each worker that is done.
    private func follow(_ permission: UploadPermission, at now: Instant) {
        if permission != self.permission {
            self.permission = permission
            finishingEnd = permission == .finishing ? now + Self.finishingTime : nil
            for worker in workers where permission != .finishing { worker.suspend(permission == .suspended) }
        }
    }

    /// Suspends the workers that are done, and all of them at `finishingEnd`.
    private func suspendFinished(at now: Instant) {
        guard let finishingEnd else { return }
        let isOver = now >= finishingEnd
        for worker in workers where isOver || worker.isIdle { worker.suspend(true) }
        if isOver { self.finishingEnd = nil }
    }

    private func wait(for watches: [[Watch]], until deadline: Instant?, at now: Instant) -> [Int32] {
        // `poll` ignores a negative descriptor.
        var sockets = [signal.descriptor, network?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        sockets += watches.joined().map(\.socket)
        let timeout_ms = Self.milliseconds(from: now, to: deadline)
        guard sleeper.poll(&sockets, timeout_ms: timeout_ms, clock: clocks.now) > 0 else { return [] }
        return sockets.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Returns milliseconds, rounded up so that `poll` does not return early.
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

/// Waits for sockets with `poll`. If the last wait took less than 100 µs, the next one first tests the sockets for 100 µs
/// without sleeping: a server on the same computer may answer in less time than the kernel needs to wake the thread. A slower
/// server costs no additional processor time.
struct BriefWait {
    static let limit: Duration = .microseconds(100)

    private var wasBrief = false

    /// A negative `timeout_ms` means no limit.
    mutating func poll(_ sockets: inout [pollfd], timeout_ms: Int32, clock: () -> Instant) -> Int32 {
        let begin = clock()
        if wasBrief, timeout_ms != 0 {
            repeat {
                let count = Glibc.poll(&sockets, nfds_t(sockets.count), 0)
                if count != 0 { return count }
                // On a computer with one processor, the server needs this processor.
                sched_yield()
            } while clock() - begin < Self.limit
        }
        let count = Glibc.poll(&sockets, nfds_t(sockets.count), timeout_ms)
        wasBrief = timeout_ms != 0 && clock() - begin < Self.limit
        return count
    }
}

extension UploadTarget {
    func makeTransport(_ clocks: UploadClocks, _ timeouts: TransportTimeouts) -> any Transport {
        switch transport.kind {
        case .http: HTTP(self, timeouts)
        case .mqtt: MQTT(self, clocks, timeouts)
        }
    }
}
