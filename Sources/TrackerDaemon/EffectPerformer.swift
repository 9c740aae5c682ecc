import Hardware
import Logging
import Quantities
import Store
import Tracking

/// Carries out the effects of the engine, one after the other.
struct EffectPerformer {
    /// The pause after a failed commit.
    private static let retryPause = Duration.seconds(5)
    /// The pause after a commit that failed because of another program's lock; most programs lock the file only for a moment.
    private static let lockedPause = Duration.milliseconds(100)
    /// The longest time for which a lock of another program is not yet a fault.
    private static let lockedPatience = Duration.seconds(5)
    /// The smallest correction of a trusted clock that causes a warning.
    private static let notableCorrection = Duration.seconds(60)

    let queue: RecordQueue
    private let devices: Tracker.Devices
    private let boot: String
    /// The engine's estimate of UTC, which dates all records and decisions.
    private var utc = UTCEstimate()
    /// Whether the estimate of UTC before the latest event was trusted.
    private var wasTrusted = false
    private let log: Logger
    private let uploads: UploadHandle
    /// The number of transactions with records since the program started.
    private(set) var commitCount = 0
    private var timers = TimerQueue()
    private var refusals: [FixRejection: Int] = [:]
    private var diskError: StoreError?
    /// When a commit first failed because of another program's lock; nil if the database is not locked.
    private var locked: (since: Instant, error: StoreError)?
    /// Whether to switch the receiver off as soon as no other program locks the database.
    private var isReceiverDue = false
    private var reports: [Event] = []
    /// The last report to the engine about sent records with wrong times.
    private var reportedTimes: SentTimes?

    init(
        queue: RecordQueue, devices: Tracker.Devices, boot: String, log: Logger, uploads: UploadHandle
    ) {
        self.queue = queue
        self.devices = devices
        self.boot = boot
        self.log = log
        self.uploads = uploads
    }

    /// The time of the next timer, or of the next commit or maintenance of the queue.
    var deadline: Instant? { [timers.next, queue.flushDeadline, queue.tendDeadline].compactMap { $0 }.min() }

    /// Takes over the engine's estimate of UTC after an event; call this before carrying out the event's effects.
    mutating func date(by estimate: UTCEstimate, at now: Instant) {
        wasTrusted = utc.time(at: now).isTrusted
        utc = estimate
    }

    /// Returns the reading of the clocks for data that the queue writes at this time.
    private func reading(at now: Instant) -> ClockReading {
        let time = utc.time(at: now)
        return ClockReading(
            boot: boot, now: now, time: time.time, isTrusted: time.isTrusted, isConfirmed: utc.isConfirmed,
            isCorroborated: utc.isCorroborated)
    }

    /// Removes and returns a timer that has expired.
    mutating func popTimer(through now: Instant) -> TimerKind? { timers.pop(through: now)?.kind }

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

    /// Carries out an effect; returns the record that results, or nil for an effect without a record.
    mutating func perform(_ effect: Effect, state: EngineState, at now: Instant) -> StoredRecord? {
        switch effect {
        case .record(let record): return keep(record, state: state, at: now)
        case .receiver(isOn: true):
            isReceiverDue = false
            devices.receiver.start(at: now)
        case .receiver(isOn: false):
            // The records of an arrival must be on disk before the receiver loses its power.
            isReceiverDue = true
            stopReceiverIfDue(at: now)
        case .recover(let recovery): devices.receiver.recover(recovery, at: now)
        case .motionSensor(let isStreaming): devices.motionSensor?.stream(isStreaming, at: now)
        case .arm(let kind, let moment): timers.arm(kind, at: moment)
        case .cancel(let kind): timers.cancel(kind)
        case .correctTimestamps(let before, let span): correctTimestamps(before: before, by: span, at: now)
        case .scan(let duty): devices.scanner?.scan(duty, at: now)
        case .uploads(let permission): uploads.permit(permission)
        case .queueRules(let rules): follow(rules)
        case .fetchRegions(let query): uploads.fetchRegions(query)
        case .deliver: uploads.tryNow()
        case .light(let isLit): devices.light?.show(isLit: isLit)
        case .state(let isMoving): devices.saver?.rest(!isMoving)
        case .halt(let wakeAfter): halt(wakeAfter: wakeAfter, state: state, at: now)
        case .refused(let reason): count(reason)
        case .decided(let decision): log(decision)
        }
        return nil
    }

    /// Returns the device whose fault to check after an effect; nil if no device needs this check.
    func device(of effect: Effect) -> (any Device)? {
        switch effect {
        case .light: devices.light
        case .state: devices.saver
        case .halt: devices.halter
        case .record, .receiver, .motionSensor, .scan, .arm, .cancel, .uploads, .deliver, .queueRules, .fetchRegions,
            .correctTimestamps,
            .refused, .decided,
            .recover:
            nil
        }
    }

    /// Halts the board if everything is on disk and a device is ready to wake the board.
    private mutating func halt(wakeAfter: Duration?, state: EngineState, at now: Instant) {
        // If the engine has not yet taken over a former state, that state must remain on disk.
        guard !queue.hasFormerState, save(state, at: now) else {
            return refuseHalt("the state is not on disk yet")
        }
        guard let halter = devices.halter else { return refuseHalt("trackerd cannot halt this board") }
        if devices.isWokenByMotion {
            guard let sensor = devices.motionSensor else {
                return refuseHalt("the board has no accelerometer that can wake it")
            }
            if let fault = sensor.armWakeUp(at: now) {
                log.warning("\(fault) trackerd does not halt the board now, and tries again later.")
                return refuseHalt("\(fault.subject): \(fault.cause)")
            }
        }
        halter.halt(wakeAfter: wakeAfter, at: now)
        if let fault = halter.fault { refuseHalt("\(fault.subject): \(fault.cause)") }
    }

    private mutating func refuseHalt(_ reason: String) { reports.append(.haltRefused(reason: reason)) }

    /// Returns the reports for the engine since the last call.
    mutating func takeReports() -> [Event] {
        defer { reports = [] }
        return reports
    }

    /// Maintains the database file: replaces a damaged file, and reports the results of background work.
    ///
    /// Returns whether the file was replaced; then all other users of the file must open the new file.
    mutating func tendQueue(at now: Instant) -> Bool {
        do throws(StoreError) {
            let (reports, hasDeliverable) = try queue.tend(at: reading(at: now))
            for report in reports {
                report.write(to: log)
                if let event = report.event { self.reports.append(event) }
            }
            let losses = [
                queue.takeMemoryLoss().map { QueueLoss($0, .memory) }, queue.takeLoss().map { QueueLoss($0, .limits) },
            ]
            for loss in losses.compactMap(\.self) {
                loss.write(to: log)
                if let event = loss.event { self.reports.append(event) }
            }
            if hasDeliverable { uploads.committed() }
            return reports.contains(where: \.isOfNewFile)
        } catch {
            report(error, at: now)
            return false
        }
    }

    /// Returns the state of the previous run if the queue found it after the start and the engine can take it over;
    /// otherwise nil.
    func formerState(for engine: Engine) -> EngineState? {
        queue.hasFormerState && engine.canResume ? queue.takeFormerState() : nil
    }

    /// The state of the previous run, for the end of the program; nil if there is none, or if the engine has taken it over.
    var leftoverState: EngineState? { queue.takeFormerState() }

    /// Begins the loop: from now on, all operations of the queue are short.
    func enterLoop() { queue.enterLoop() }

    /// Reports that the queue starts without its file.
    mutating func reportAbsence(_ error: StoreError, at now: Instant) { report(error, at: now) }

    /// Commits the waiting data if a commit is due; returns whether one was due.
    mutating func flushIfDue(at now: Instant) -> Bool {
        guard let deadline = queue.flushDeadline, deadline <= now else { return false }
        flush(at: now)
        return true
    }

    /// Stops the receiver, commits the state and all records, and closes the queue.
    mutating func finish(_ state: EngineState, at now: Instant) {
        devices.receiver.stop(at: now)
        queue.note(state)
        commit(at: now) { queue, reading throws(StoreError) in try queue.flushFinally(at: reading) }
        queue.close()
    }

    /// Writes the state to the disk, even if no record waits; returns whether the write succeeded.
    ///
    /// If a commit of the same turn has already waited for another program, the state waits for the next commit.
    mutating func save(_ state: EngineState, at now: Instant) -> Bool {
        queue.note(state)
        if locked != nil, let next = queue.flushDeadline, next > now { return false }
        return flush(at: now)
    }

    /// Whether a record would survive a power cut.
    func isOnDisk(_ stored: StoredRecord) -> Bool { stored.sequence <= queue.committedSequence }

    /// The names of the targets that must receive the records.
    var targets: [String] { queue.retention.targets }

    /// Makes the queue store records for these targets from now on.
    func store(for targets: [String]) { queue.retention.targets = targets }

    /// Returns the number of records that wait for each target, at most `limit`; nil if the file cannot be read.
    func counts(limit: Int) -> [(target: String, count: Int?)] {
        queue.retention.targets.map { target in (target, try? queue.count(awaiting: target, limit: limit)) }
    }

    /// Returns when a timer expires; nil if the timer is not armed.
    func due(_ kind: TimerKind) -> Instant? { timers.moment(of: kind) }

    /// Runs a client's operation on the database, unless another program has just locked the database.
    ///
    /// A turn of the loop waits for another program only once. If the operation finds the lock, the next commit waits for a later turn.
    mutating func unlessLocked<Answer>(at now: Instant, _ body: () throws -> Answer) throws -> Answer {
        if let locked { throw locked.error }
        do {
            return try body()
        } catch let error as StoreError where error.isLocked {
            report(error, at: now)
            throw error
        }
    }

    /// Why the queue cannot write records, and what to do; nil while the disk works.
    var diskFault: String? { (diskError ?? queue.absence)?.description }

    /// The number of records that are only in memory.
    var unwrittenCount: Int { queue.waitingCount }

    /// The number of records that are only in memory and that at least one target has not received.
    var endangeredCount: Int { queue.endangeredCount }

    private func follow(_ rules: QueueRules) {
        queue.retention.days = rules.maxDays
        queue.retention.records = rules.maxRecords
        queue.retention.bytes = rules.maxBytes
        uploads.follow(rules)
    }

    private func keep(_ record: Record, state: EngineState, at now: Instant) -> StoredRecord? {
        let hadRoom = queue.memoryLoss == Retention.Loss()
        let stored = queue.append(record, state: state, at: reading(at: now))
        if hadRoom, queue.memoryLoss != Retention.Loss() {
            log.warning(
                """
                The queue in memory has reached its limit (\(RecordQueue.mostWaiting) records), and the disk accepts no records. \
                From now on trackerd removes locations: first the locations that every target has received, then the locations \
                that the track hardly needs.
                """)
        }
        return stored
    }

    private mutating func correctTimestamps(before: Instant, by span: Duration, at now: Instant) {
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

    /// Completes the records of one event, and commits them if one of them must be on disk now.
    mutating func settle(at now: Instant) {
        commit(at: now) { queue, reading throws(StoreError) in try queue.settle(at: reading) }
    }

    @discardableResult
    private mutating func flush(at now: Instant) -> Bool {
        commit(at: now) { queue, reading throws(StoreError) in try queue.flush(at: reading) }
    }

    /// Commits data with `body`; returns whether the disk accepted the data.
    @discardableResult
    private mutating func commit(
        at now: Instant, _ body: (RecordQueue, ClockReading) throws(StoreError) -> Bool
    ) -> Bool {
        let before = queue.committedSequence
        do {
            let isNews = try body(queue, reading(at: now))
            if !queue.isRetrying { recover() }
            if queue.committedSequence > before {
                commitCount += 1
                log.debug("on disk", metadata: ["sequence": "\(queue.committedSequence)"])
            }
            if isNews { uploads.committed() }
            stopReceiverIfDue(at: now)
            return true
        } catch {
            report(error, at: now)
            stopReceiverIfDue(at: now)
            return false
        }
    }

    /// Switches the receiver off if this is due, unless another program has just locked the database.
    private mutating func stopReceiverIfDue(at now: Instant) {
        let isLocked = locked.map { now - $0.since < Self.lockedPatience } ?? false
        guard isReceiverDue, !isLocked else { return }
        isReceiverDue = false
        devices.receiver.stop(at: now)
    }

    private mutating func report(_ error: StoreError, at now: Instant) {
        locked = error.isLocked ? (locked?.since ?? now, error) : nil
        if let locked, now - locked.since < Self.lockedPatience {
            return queue.postponeFlush(until: now + Self.lockedPause)
        }
        queue.postponeFlush(until: now + Self.retryPause)
        if queue.offerWaiting() { uploads.committed() }
        guard diskError != error else { return }
        diskError = error
        reports.append(.storage(fault: error.cause))
        let room = "\(queue.waitingCount) of at most \(RecordQueue.mostWaiting) records"
        log.error("\(error) Recording continues in memory (\(room)).")
    }

    private mutating func recover() {
        locked = nil
        guard diskError != nil else { return }
        diskError = nil
        reports.append(.storage(fault: nil))
        // After failures with the database file, the upload thread may pause for minutes.
        uploads.tryNow()
        log.notice("The queue is on disk again.")
    }

    private mutating func count(_ reason: FixRejection) {
        refusals[reason, default: 0] += 1
        log.debug("fix refused", metadata: ["reason": "\(reason.rawValue)", "times": "\(refusals[reason] ?? 0)"])
    }

    private func log(_ decision: Decision) {
        switch decision.subject {
        case .start: log.notice("Departed: \(decision.text).")
        case .stop: log.notice("Arrived: \(decision.text).")
        case .sensor: log.info("Sensors: \(decision.text).")
        case .schedule, .privacy, .options, .power: log.info("\(decision.subject.rawValue): \(decision.text)")
        case .receiver, .beacon, .request, .region: log.debug("\(decision.subject.rawValue): \(decision.text)")
        }
    }
}
