import Glibc
import Synchronization

/// Work for the queue on a thread of its own, at low priority; rings the alarm at its end.
///
/// Belongs to the thread that makes it, but for what the work itself does.
final class BackgroundJob<Outcome: Sendable> {
    private let work: Work<Outcome>
    private var thread: pthread_t?

    /// Begins.
    ///
    /// The body asks `isCancelled` at least every hundred milliseconds, and ends when it is.
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

    /// Whether it is at work, or has an outcome that was not taken.
    var isPending: Bool { thread != nil }

    /// What came of it, once; `nil` while it is at work, and if the system had no thread for it.
    func takeOutcome() -> Outcome? {
        guard let thread, work.isDone.load(ordering: .acquiring) else { return nil }
        pthread_join(thread, nil)
        self.thread = nil
        return work.outcome.withLock { $0 }
    }

    /// Asks it to end, and does not wait: for work that only reads.
    func abandon() {
        guard let thread else { return }
        work.isCancelled.store(true, ordering: .releasing)
        pthread_detach(thread)
        self.thread = nil
    }

    /// Ends it and waits for that.
    func cancel() {
        guard let thread else { return }
        work.isCancelled.store(true, ordering: .releasing)
        pthread_join(thread, nil)
        self.thread = nil
    }
}

/// What a thread runs.
private protocol Runnable: AnyObject {
    func run()
}

/// What both threads see.
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
        // Signals belong to the loop's thread.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        // On Linux a priority belongs to a thread.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        let result = body { isCancelled.load(ordering: .acquiring) }
        outcome.withLock { $0 = result }
        isDone.store(true, ordering: .releasing)
        alarm.ring()
    }
}
