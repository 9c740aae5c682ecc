import Glibc
import Synchronization

/// Runs a body on a thread of low priority, and rings the alarm at its end. All calls come from the thread that made
/// the job.
final class BackgroundJob<Outcome: Sendable> {
    private let work: Work<Outcome>
    private var thread: pthread_t?

    /// The body must check `isCancelled` often, because `cancel` waits for the end of the body.
    init(ringing alarm: QueueAlarm, _ body: @escaping @Sendable (_ isCancelled: () -> Bool) -> Outcome) {
        work = Work(body, alarm)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(work as any Runnable & Sendable as AnyObject)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                (Unmanaged<AnyObject>.fromOpaque(argument).takeRetainedValue() as? any Runnable)?.run()
                return nil
            }, box.toOpaque())
        if status == 0 { self.thread = thread } else { box.release() }
    }

    var isPending: Bool { thread != nil }

    /// Nil while the work is running, after a cancellation, or if the system could not start a thread.
    func takeOutcome() -> Outcome? {
        work.isDone.load(ordering: .acquiring) ? awaitOutcome() : nil
    }

    /// Nil if `isPending` is false.
    func awaitOutcome() -> Outcome? {
        guard let thread else { return nil }
        pthread_join(thread, nil)
        self.thread = nil
        return work.outcome.withLock { $0 }
    }

    /// Does not wait for the end. Use this only for work that just reads, or writes to a file that will be replaced.
    func abandon() { end { pthread_detach($0) } }

    func cancel() { end { pthread_join($0, nil) } }

    private func end(_ release: (pthread_t) -> CInt) {
        guard let thread else { return }
        work.isCancelled.store(true, ordering: .releasing)
        _ = release(thread)
        self.thread = nil
    }
}

private protocol Runnable: AnyObject {
    func run()
}

private final class Work<Outcome: Sendable>: Runnable, Sendable {
    let isCancelled = Atomic<Bool>(false)
    let isDone = Atomic<Bool>(false)
    let outcome = Mutex<Outcome?>(nil)
    private let body: @Sendable (() -> Bool) -> Outcome
    private let alarm: QueueAlarm

    init(_ body: @escaping @Sendable (() -> Bool) -> Outcome, _ alarm: QueueAlarm) {
        self.body = body
        self.alarm = alarm
    }

    func run() {
        // The loop's thread handles all signals, so the thread of the work blocks them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // On Linux this call sets the priority of the calling thread only.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        let result = body { isCancelled.load(ordering: .acquiring) }
        outcome.withLock { $0 = result }
        isDone.store(true, ordering: .releasing)
        alarm.ring()
    }
}
