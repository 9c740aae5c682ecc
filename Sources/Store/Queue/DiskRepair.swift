/// The replacement of a damaged or deleted file on a thread, while the loop goes on.
struct DiskRepair {
    typealias Outcome = Result<DiskReport, StoreError>

    private var job: BackgroundJob<Outcome>?
    private var reason: StoreError?
    private var fault: StoreError?
    /// Whether a repair has succeeded since the last `fileOpened`.
    private(set) var isDone = false

    /// The error in force while the repair runs; nil if none runs.
    var runningReason: StoreError? { job == nil ? nil : reason }

    /// Begins a repair; returns `reason`, which is the error in force until the repair ends.
    mutating func begin(
        because reason: StoreError, ringing alarm: QueueAlarm,
        _ work: @escaping @Sendable () throws(StoreError) -> DiskReport
    ) -> StoreError {
        job = BackgroundJob(ringing: alarm) { _ in
            do throws(StoreError) { return .success(try work()) } catch { return .failure(error) }
        }
        // If the system cannot start a thread for the repair, the next call tries again.
        if job?.isPending != true { job = nil }
        self.reason = reason
        return reason
    }

    /// Returns the report of a repair that has succeeded, once; notes the reason of one that has failed.
    mutating func takeReport() -> DiskReport? {
        guard let outcome = job?.takeOutcome() else { return nil }
        return finish(outcome)
    }

    /// Waits for the running repair, and returns its report; `isRunning` is false if there is none.
    mutating func awaitEnd() -> (isRunning: Bool, report: DiskReport?) {
        guard let outcome = job?.awaitOutcome() else { return (false, nil) }
        return (true, finish(outcome))
    }

    private mutating func finish(_ outcome: Outcome) -> DiskReport? {
        job = nil
        switch outcome {
        case .success(let report):
            (fault, isDone) = (nil, true)
            return report
        case .failure(let error):
            fault = error
            return nil
        }
    }

    /// Returns the reason for the failure of the last repair, once.
    mutating func takeFault() -> StoreError? {
        defer { fault = nil }
        return fault
    }

    mutating func fileOpened() { isDone = false }
}
