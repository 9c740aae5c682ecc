import Quantities

/// Salvages one damaged file after the other.
struct SalvageSchedule {
    private var job: BackgroundJob<SalvageImport.Outcome>?
    /// The first is under way or next.
    private(set) var tasks: [SalvageImport.Task] = []
    private(set) var due: Instant?
    private var fault: StoreError?
    /// A disk that was full or busy may accept data after this time.
    private static let pause = Duration.seconds(60)

    mutating func begin(_ tasks: [SalvageImport.Task], path: String, alarm: QueueAlarm) {
        self.tasks = tasks
        carryOn(path: path, alarm: alarm)
    }

    mutating func cancel() {
        job?.cancel()
        (job, due) = (nil, nil)
    }

    /// Returns what to report, and whether targets can fetch records that a salvage has copied.
    mutating func tend(path: String, alarm: QueueAlarm, isOpen: Bool, at now: Instant) -> (
        reports: [DiskReport], hasCopied: Bool
    ) {
        if let due, due <= now, isOpen {
            self.due = nil
            carryOn(path: path, alarm: alarm)
        }
        guard let outcome = job?.takeOutcome() else { return ([], false) }
        job = nil
        switch outcome {
        case .ended(let records, let missing, let deleted):
            var reports = [DiskReport.salvaged(path: tasks.removeFirst().path, records: records, missing: missing)]
            if !deleted.isEmpty { reports.append(.deleted(paths: deleted)) }
            fault = nil
            if isOpen { carryOn(path: path, alarm: alarm) }
            return (reports, records > 0)
        case .failed(let error):
            due = now + Self.pause
            defer { fault = error }
            return (error == fault ? [] : [.salvageFailing(error)], false)
        case .cancelled: return ([], false)
        }
    }

    private mutating func carryOn(path: String, alarm: QueueAlarm) {
        guard let task = tasks.first, job == nil else { return }
        let work = SalvageImport(task: task, path: path, turn: alarm.turn)
        job = BackgroundJob(ringing: alarm) { isCancelled in work.run(isCancelled) }
    }
}
