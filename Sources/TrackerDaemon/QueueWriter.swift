import Logging
import Quantities
import Store
import Tracking

/// Writes records and the engine's state to the queue, tries again after a failure, and reports the faults of the disk.
final class QueueWriter {
    private static let retryPause = Duration.seconds(5)
    /// The pause after a commit that failed because of another program's lock; most programs lock the file only for a moment.
    private static let lockedPause = Duration.milliseconds(100)
    /// The longest time for which a lock of another program is not yet a fault.
    private static let lockedPatience = Duration.seconds(5)
    /// A larger correction of a trusted clock causes a warning.
    private static let notableCorrection = Duration.seconds(60)

    /// The pause between two checks for a missing file; a loop that sleeps checks later.
    private static let tendPause = Duration.seconds(10)

    private let queue: RecordQueue
    private let boot: String
    private let log: Logger
    private let uploads: UploadHandle
    /// The engine's estimate of UTC, which dates all records and decisions.
    private var utc = UTCEstimate()
    /// Whether the estimate of UTC before the latest event was trusted.
    private var wasTrusted = false
    /// The number of transactions with records since the program started.
    private(set) var commitCount = 0
    private var tendDue = Instant.boot
    private var diskError: StoreError?
    /// When another program's present lock was first found; nil if the database is not locked.
    private var locked: (since: Instant, error: StoreError)?
    private var reports: [Event] = []
    /// The last report to the engine about sent records with wrong times.
    private var reportedTimes: SentTimes?

    init(_ queue: RecordQueue, boot: String, log: Logger, uploads: UploadHandle) {
        (self.queue, self.boot, self.log, self.uploads) = (queue, boot, log, uploads)
    }

    var deadline: Instant? { .earliest(queue.flushDeadline, queue.tendDeadline) }

    /// Call this after an event, before carrying out the event's effects.
    func date(by estimate: UTCEstimate, at now: Instant) {
        wasTrusted = utc.time(at: now).isTrusted
        utc = estimate
    }

    private func reading(at now: Instant) -> ClockReading {
        let time = utc.time(at: now)
        return ClockReading(
            boot: boot, now: now, time: time.time, isTrusted: time.isTrusted, isConfirmed: utc.isConfirmed,
            isCorroborated: utc.isCorroborated)
    }

    // MARK: - Data

    /// Notes the decisions about an event; the queue writes them to disk together with the next records.
    func note(_ effects: [Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .decided(let decision): queue.decisions.note(decision, at: reading(at: now))
            case .refused(let refusal): queue.decisions.note(refusal, at: reading(at: now))
            case .state(let isMoving): queue.decisions.note(isMoving: isMoving, at: reading(at: now))
            case .receiver(let isOn): queue.decisions.note(isReceiverOn: isOn, at: reading(at: now))
            case .record, .motionSensor, .arm, .cancel, .correctTimestamps, .scan, .uploads, .deliver, .queueRules,
                .fetchRegions, .light, .halt, .recover:
                break
            }
        }
    }

    func append(_ record: Record, state: EngineState, at now: Instant) -> StoredRecord? {
        let hadRoom = queue.memoryLoss == Retention.Loss()
        let stored = queue.append(record, state: state, at: reading(at: now))
        if hadRoom, queue.memoryLoss != Retention.Loss() {
            log.warning(
                """
                The queue in memory has reached its limit (\(RecordQueue.mostWaiting) records), and the disk accepts no records. \
                From now on trackerd removes locations: first those that every target has received, then those that the track \
                hardly needs.
                """)
        }
        return stored
    }

    func correctTimestamps(before: Instant, by span: Duration, at now: Instant) {
        if wasTrusted, span.magnitude > Self.notableCorrection {
            log.warning("The receiver or a time server had reported a wrong date; trackerd corrected its own time.")
        }
        let reading = reading(at: now)
        let correction = ClockCorrection(
            boot: reading.boot, before: before, bootTime: reading.bootTime, isProvisional: !reading.isCorroborated)
        if let sent = queue.sentTimes(before: correction), sent != reportedTimes {
            reportedTimes = sent
            reports.append(.health(HealthReport(.sentTimesWrong, correction: sent)))
        }
        guard queue.correctTimestamps(correction, at: now) else { return }
        log.info("trackerd now knows the time, and has corrected the earlier timestamps.")
    }

    func limit(by rules: QueueRules) {
        queue.retention.days = rules.maxDays
        queue.retention.records = rules.maxRecords
        queue.retention.bytes = rules.maxBytes
    }

    func store(for targets: [String]) { queue.retention.targets = targets }

    /// With the next commit, replaces the stored regions of these servers; those of other servers remain.
    func replace(_ lists: [ServerRegions]) { for list in lists { queue.replace(list) } }

    /// One transaction contains all effects of the order until `endOrder`.
    func begin(_ order: StoredOrder) { queue.begin(order) }

    func endOrder() { queue.endOrder() }

    // MARK: - Commits

    /// Completes the records of one event, and commits them if one of them must be on disk now.
    func settle(at now: Instant) {
        commit(at: now) { queue, reading throws(StoreError) in try queue.settle(at: reading) }
    }

    /// Returns whether a commit was due.
    func flushIfDue(at now: Instant) -> Bool {
        guard let deadline = queue.flushDeadline, deadline <= now else { return false }
        flush(at: now)
        return true
    }

    /// Writes the state to the disk, even if no record waits; returns whether the write succeeded. If a commit of the same
    /// turn has already waited for another program, the state waits for the next commit.
    func save(_ state: EngineState, at now: Instant) -> Bool {
        queue.note(state)
        if locked != nil, let next = queue.flushDeadline, next > now { return false }
        return flush(at: now)
    }

    func finish(_ state: EngineState, at now: Instant) {
        queue.note(state)
        commit(at: now) { queue, reading throws(StoreError) in try queue.flushFinally(at: reading) }
        queue.close()
    }

    @discardableResult
    private func flush(at now: Instant) -> Bool {
        commit(at: now) { queue, reading throws(StoreError) in try queue.flush(at: reading) }
    }

    /// Returns whether the disk accepted the data; `body` returns whether targets have something to fetch.
    @discardableResult
    private func commit(at now: Instant, _ body: (RecordQueue, ClockReading) throws(StoreError) -> Bool) -> Bool {
        let before = queue.committedSequence
        tendDue = .boot
        do {
            let isNews = try body(queue, reading(at: now))
            if !queue.isRetrying { recover() }
            if queue.committedSequence > before {
                commitCount += 1
                log.debug("on disk", metadata: ["sequence": "\(queue.committedSequence)"])
            }
            if isNews { uploads.committed() }
            return true
        } catch {
            report(error, at: now)
            return false
        }
    }

    /// Runs a client's operation on the database, unless another program has just locked it. A turn of the loop waits for
    /// another program only once: if the operation finds the lock, the next commit waits for a later turn.
    func unlessLocked<Answer>(at now: Instant, _ body: () throws -> Answer) throws -> Answer {
        if let locked { throw locked.error }
        do {
            return try body()
        } catch let error as StoreError where error.isLocked {
            report(error, at: now)
            throw error
        }
    }

    // MARK: - Faults

    func reportAbsence(_ error: StoreError, at now: Instant) { report(error, at: now) }

    private func report(_ error: StoreError, at now: Instant) {
        locked = error.isLocked ? (locked?.since ?? now, error) : nil
        if isBrieflyLocked(at: now) { return queue.postponeFlush(until: now + Self.lockedPause) }
        queue.postponeFlush(until: now + Self.retryPause)
        if queue.offerWaiting() { uploads.committed() }
        guard diskError != error else { return }
        diskError = error
        reports.append(.storage(fault: error.cause))
        let room = "\(queue.waitingCount) of at most \(RecordQueue.mostWaiting) records"
        log.error("\(error) Recording continues in memory (\(room)).")
    }

    private func recover() {
        locked = nil
        guard diskError != nil else { return }
        diskError = nil
        reports.append(.storage(fault: nil))
        // After failures with the database file, the upload thread may pause for minutes.
        uploads.tryNow()
        log.notice("The queue is on disk again.")
    }

    func takeReports() -> [Event] {
        defer { reports = [] }
        return reports
    }

    /// Replaces a damaged database file, and reports the results of background work, if the alarm has rung, after a commit, or
    /// `tendPause` after the last time. Returns whether the file was replaced; then all its other users must open the new one.
    func tend(hasRung: Bool, at now: Instant) -> Bool {
        guard hasRung || now >= min(tendDue, queue.tendDeadline ?? tendDue) else { return false }
        tendDue = now + Self.tendPause
        do throws(StoreError) {
            let (found, hasDeliverable) = try queue.tend(at: reading(at: now))
            for report in found {
                report.write(to: log)
                if let event = report.event { reports.append(event) }
            }
            let losses = [
                queue.takeMemoryLoss().map { QueueLoss($0, .memory) }, queue.takeLoss().map { QueueLoss($0, .limits) },
            ]
            for loss in losses.compactMap(\.self) {
                loss.write(to: log)
                if let event = loss.event { reports.append(event) }
            }
            if hasDeliverable { uploads.committed() }
            return found.contains(where: \.isOfNewFile)
        } catch {
            report(error, at: now)
            return false
        }
    }

    /// From now on, all operations of the queue are short.
    func enterLoop() { queue.enterLoop() }

    // MARK: - What the queue contains

    /// Whether another program has locked the database so recently that this is not yet a fault.
    func isBrieflyLocked(at now: Instant) -> Bool { locked.map { now - $0.since < Self.lockedPatience } ?? false }

    /// Why the queue cannot write records, and what to do; nil while the disk works.
    var diskFault: String? { (diskError ?? queue.absence)?.description }

    /// Whether a state of the previous run waits for the engine.
    var hasFormerState: Bool { queue.hasFormerState }

    func takeFormerState() -> EngineState? { queue.takeFormerState() }

    /// Whether a record would survive a power cut.
    func isOnDisk(_ stored: StoredRecord) -> Bool { stored.sequence <= queue.committedSequence }

    /// Returns whether a record is on disk and the target does not wait for it; false if the file is unavailable.
    func isDelivered(_ sequence: Int64, to target: String) -> Bool { queue.isDelivered(sequence, to: target) }

    /// The number of records that are only in memory.
    var unwrittenCount: Int { queue.waitingCount }

    /// The number of records that are only in memory and that at least one target has not received.
    var endangeredCount: Int { queue.endangeredCount }

    var targets: [String] { queue.retention.targets }

    /// Returns the number of records that wait for a target, at most `limit`; nil if the file cannot be read.
    func count(awaiting target: String, limit: Int) -> Int? { try? queue.count(awaiting: target, limit: limit) }

    /// The stored orders that trackerd has not carried out yet, the oldest first.
    var waitingOrders: [StoredOrder] { queue.waitingOrders }

    /// Nil if the file is unavailable.
    var serverRegions: [ServerRegions]? { queue.serverRegions }
}
