/// The replacement of a damaged or deleted file on a thread, while the loop goes on.
struct DiskRepair {
    typealias Outcome = Result<DiskReport, StoreError>

    private var job: BackgroundJob<Outcome>?
    private var reason: StoreError?
    private var fault: StoreError?
    /// True if a repair has succeeded since the last `fileOpened`.
    private(set) var isDone = false

    var runningReason: StoreError? { job == nil ? nil : reason }

    /// Returns `reason`, which is the error in force until the repair ends.
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

    /// Nil while the repair is running, or if it has failed (`takeFault`).
    mutating func takeReport() -> DiskReport? {
        guard let outcome = job?.takeOutcome() else { return nil }
        return finish(outcome)
    }

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

    /// Returns why the last repair failed, but only once.
    mutating func takeFault() -> StoreError? {
        defer { fault = nil }
        return fault
    }

    mutating func fileOpened() { isDone = false }
}

/// What the owner should know about the database file.
package enum DiskReport: Sendable, Hashable {
    /// The file of an earlier version remains as `aside`.
    case begunAnew(StoreError, aside: String)
    case replaced(StoreError, aside: String)
    /// trackerd has written the contents of the deleted or renamed file to a new one.
    case restored(path: String)
    /// Recording continues in another file, which has taken the name.
    case exchanged(path: String)
    case salvaged(path: String, records: Int, missing: Int)
    case salvageFailing(StoreError)
    /// Older damaged files were deleted, because they were too many or too large.
    case deleted(paths: [String])
}
