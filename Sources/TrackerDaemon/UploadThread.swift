package import Delivery
import Formats
import Glibc
package import Logging
package import Store
import Synchronization
import Tracking
package import Upload

/// Uploads in a thread of its own. It shares with the loop the database, a signal, the queue's alarm and the
/// conditions of uploads.
package final class UploadThread {
    private let signal: WakeSignal
    private let log: Logger
    private let conditions = UploadConditions()
    private var thread: pthread_t?

    package init(log: Logger) throws {
        signal = try WakeSignal()
        self.log = log
    }

    package var handle: UploadHandle {
        UploadHandle(
            committed: { [signal] in signal.recordsCommitted() },
            permit: { [signal] permission in signal.permit(permission) },
            tryNow: { [signal] in signal.networkReturned() },
            follow: { [signal] rules in
                signal.follow(UploadRules(syncInterval: rules.syncInterval, replay: rules.replay))
            },
            fetchRegions: { [signal] query in signal.fetchRegions(query) },
            replace: { [signal, conditions] targets in
                conditions.clear()
                signal.replace(targets: targets)
            },
            fault: { [conditions] target in conditions.fault(of: target) },
            counts: { [conditions] target in conditions.counts(of: target) },
            ask: { [signal] in signal.ask() }, hasAnswered: { [signal] in signal.hasAnswered },
            reportToLoop: { [conditions] isWanted in conditions.wakesLoop = isWanted })
    }

    /// The thread opens its own connection to the database at `path`. `mark` gets the target that is served, or nil.
    package func start(
        _ targets: [UploadTarget], path: String, alarm: QueueAlarm, clock: UploadClocks,
        mark: @escaping @Sendable (String?) -> Void
    ) {
        let job = Job { [signal, log, conditions] in
            let queue = CombinedQueue(path: path, alarm: alarm)
            UploadLoop(
                targets: targets, queue: queue, signal: signal, clocks: clock, seed: .random(in: 0...UInt64.max),
                network: NetworkMonitor(),
                report: { report in
                    conditions.note(report)
                    if conditions.wakesLoop { alarm.ring() }
                    write(report, to: log)
                }, count: { conditions.count($1, for: $0) }, mark: mark
            ).run()
            queue.close()
        }
        let box = Unmanaged.passRetained(job)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            box.release()
            log.error(
                "trackerd cannot start the upload thread (\(String(cString: strerror(status)))), so uploads wait. Restart trackerd."
            )
            return
        }
        self.thread = thread
    }

    package func stop() {
        guard let thread else { return }
        signal.stop()
        pthread_join(thread, nil)
        self.thread = nil
    }
}

/// The work of the thread. The starting thread makes it, and then only the new one uses it.
private final class Job: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private let remedy = "`trackerd queue` lists such records; `trackerd queue retry` sends them again."

private func write(_ report: UploadReport, to log: Logger) {
    let name = report.target
    switch report.event {
    case .delivered(let count, let withheld):
        log.debug("delivered", metadata: ["target": "\(name)", "count": "\(count)", "withheld": "\(withheld)"])
    case .failing(let reason): log.warning("\(name): uploads are failing (\(reason)); retrying.")
    case .unsteady(let failures, let reason, let isFailing):
        let state = isFailing ? "retrying" : "uploads work now"
        log.warning(
            "\(name): uploads fail at times: \(failures) \(failures == 1 ? "failure" : "failures") since the last message (\(reason)); \(state)."
        )
    case .recovered(let failures):
        log.notice("\(name): uploads recovered after \(failures) failed \(failures == 1 ? "attempt" : "attempts").")
    case .unauthorised(let reason):
        log.error(
            "\(name): \(reason). Check the target's credentials. trackerd soon tries again, later once an hour, and at once after `trackerd queue retry`."
        )
    case .setAside(let sequence, let reason):
        log.error(
            "\(name): the server accepts other records, but not record \(sequence) (\(reason)), so trackerd sets it aside. \(remedy)"
        )
    case .unsendable(let sequences, let reason):
        let which = sequences.count == 1 ? "record \(sequences[0])" : "\(sequences.count) records"
        log.error(
            "\(name): trackerd cannot send \(which) (\(reason)), and sets \(sequences.count == 1 ? "it" : "them") aside. \(remedy)"
        )
    case .passedOver(let count):
        log.notice(
            "\(name): \(count) missed \(count == 1 ? "record remains" : "records remain") on the device, because `replay` excludes them from the upload."
        )
    case .notice(let words): log.notice("\(name): \(words).")
    case .ordersRefused(let count, let reason):
        log.warning("\(name): trackerd refused \(count == 1 ? "an order" : "\(count) orders") (\(reason)).")
    case .held(let reason?, _): log.notice("\(name): uploads wait (\(reason)).")
    case .held(nil, _): log.notice("\(name): uploads continue.")
    case .queueFailing(let reason): log.error("\(name): trackerd cannot use the queue (\(reason)); retrying.")
    }
}

package struct UploadHandle {
    var committed: () -> Void = {}
    var permit: (UploadPermission) -> Void = { _ in }
    /// Tries all targets immediately, even those that pause after a failure.
    var tryNow: () -> Void = {}
    var follow: (QueueRules) -> Void = { _ in }
    var fetchRegions: (RegionQuery?) -> Void = { _ in }
    var replace: ([UploadTarget]) -> Void = { _ in }
    var fault: (String) -> UploadObstacle? = { _ in nil }
    var counts: (String) -> UploadCounts = { _ in UploadCounts() }
    var ask: () -> Void = {}
    var hasAnswered: () -> Bool = { true }
    var reportToLoop: (Bool) -> Void = { _ in }

    /// The handle without the targets that safe mode leaves out.
    package func leavingOut(_ mode: SafeMode) -> UploadHandle {
        let obstacle = UploadObstacle(text: mode.subject, needsOwner: false)
        guard !mode.targets.isEmpty else { return UploadHandle(fault: { _ in obstacle }) }
        var handle = self
        handle.replace = { [replace] targets in replace(targets.filter { !mode.leavesOut($0.name) }) }
        handle.fault = { [fault] target in mode.leavesOut(target) ? obstacle : fault(target) }
        return handle
    }
}

package struct UploadObstacle: Sendable, Hashable {
    package let text: String
    /// False while uploads wait for another network, and in safe mode, which the status reports separately.
    package let needsOwner: Bool
}

/// Why uploads fail or wait, and what they have sent; shared by the upload thread and the loop.
package final class UploadConditions: Sendable {
    private let faults = Mutex<[String: UploadObstacle]>([:])
    private let uploads = Mutex<[String: UploadCounts]>([:])
    private let isWatched = Atomic(false)

    package init() {}

    /// Why a target receives nothing; nil if no reason is known.
    package func fault(of target: String) -> UploadObstacle? { faults.withLock { $0[target] } }

    package func counts(of target: String) -> UploadCounts { uploads.withLock { $0[target] ?? UploadCounts() } }

    func count(_ verdict: Verdict, for target: String) {
        uploads.withLock { $0[target, default: UploadCounts()].note(verdict) }
    }

    /// True if each report must wake the loop, because a client watches, or metrics are written.
    var wakesLoop: Bool {
        get { isWatched.load(ordering: .relaxed) }
        set { isWatched.store(newValue, ordering: .relaxed) }
    }

    /// Forgets all faults, because other targets are served from now on.
    func clear() { faults.withLock { $0 = [:] } }

    func note(_ report: UploadReport) {
        if case .delivered(let count, let withheld) = report.event {
            uploads.withLock { $0[report.target, default: UploadCounts()].note(records: count - withheld) }
        }
        switch report.event {
        case .failing(let reason), .unauthorised(let reason), .unsteady(_, let reason, isFailing: true):
            set(reason, for: report.target)
        case .held(let reason, let needsOwner):
            set(reason.map { "uploads wait: \($0)" }, needsOwner: needsOwner, for: report.target)
        case .recovered, .unsteady: set(nil, for: report.target)
        case .delivered(let count, let withheld) where count > withheld:
            set(nil, for: report.target)
        case .delivered, .setAside, .unsendable, .passedOver, .notice, .ordersRefused, .queueFailing: break
        }
    }

    private func set(_ text: String?, needsOwner: Bool = true, for target: String) {
        let fault = text.map { UploadObstacle(text: $0, needsOwner: needsOwner) }
        faults.withLock { $0[target] = fault }
    }
}
