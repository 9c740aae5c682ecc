import Hardware
import Logging
import Quantities
import Store
import Tracking

struct EffectPerformer {
    private let devices: TrackerDevices
    private let writer: QueueWriter
    private let uploads: UploadHandle
    private let log: Logger
    private var timers = TimerQueue()
    private var refusals: [FixRejection: Int] = [:]
    /// True if the receiver must be switched off; this waits while another program's brief lock keeps records off the disk.
    private var isReceiverDue = false
    private var reports: [Event] = []

    init(devices: TrackerDevices, writer: QueueWriter, uploads: UploadHandle, log: Logger) {
        (self.devices, self.writer, self.uploads, self.log) = (devices, writer, uploads, log)
    }

    var deadline: Instant? { .earliest(timers.next, writer.deadline) }

    mutating func popTimer(through now: Instant) -> TimerKind? { timers.pop(through: now)?.kind }

    func due(_ kind: TimerKind) -> Instant? { timers.moment(of: kind) }

    mutating func takeReports() -> [Event] {
        defer { reports = [] }
        return writer.takeReports() + reports
    }

    /// Carries out an effect; returns nil if it makes no record. Few effects need the state, which costs a copy.
    mutating func perform(_ effect: Effect, state: @autoclosure () -> EngineState, at now: Instant) -> StoredRecord? {
        switch effect {
        case .record(let record): return writer.append(record, state: state(), at: now)
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
        case .correctTimestamps(let before, let span): writer.correctTimestamps(before: before, by: span, at: now)
        case .scan(let duty): devices.scanner?.scan(duty, at: now)
        case .uploads(let permission): uploads.permit(permission)
        case .queueRules(let rules):
            writer.limit(by: rules)
            uploads.follow(rules)
        case .fetchRegions(let query): uploads.fetchRegions(query)
        case .deliver: uploads.tryNow()
        case .light(let isLit): devices.light?.show(isLit: isLit)
        case .state(let isMoving): devices.saver?.rest(!isMoving)
        case .halt(let wakeAfter): halt(wakeAfter: wakeAfter, state: state(), at: now)
        case .refused(let reason): count(reason)
        case .decided(let decision): log(decision)
        }
        return nil
    }

    /// The device whose fault to check after an effect.
    func device(of effect: Effect) -> (any Device)? {
        switch effect {
        case .light: devices.light
        case .state: devices.saver
        case .halt: devices.halter
        case .record, .receiver, .motionSensor, .scan, .arm, .cancel, .uploads, .deliver, .queueRules, .fetchRegions,
            .correctTimestamps, .refused, .decided, .recover:
            nil
        }
    }

    // MARK: - Commits, after which the receiver may lose its power

    mutating func settle(at now: Instant) {
        writer.settle(at: now)
        stopReceiverIfDue(at: now)
    }

    mutating func flushIfDue(at now: Instant) -> Bool {
        guard writer.flushIfDue(at: now) else { return false }
        stopReceiverIfDue(at: now)
        return true
    }

    mutating func save(_ state: EngineState, at now: Instant) -> Bool {
        defer { stopReceiverIfDue(at: now) }
        return writer.save(state, at: now)
    }

    mutating func finish(_ state: EngineState, at now: Instant) {
        devices.receiver.stop(at: now)
        writer.finish(state, at: now)
        stopReceiverIfDue(at: now)
    }

    /// Switches the receiver off, unless another program has just locked the database.
    private mutating func stopReceiverIfDue(at now: Instant) {
        guard isReceiverDue, !writer.isBrieflyLocked(at: now) else { return }
        isReceiverDue = false
        devices.receiver.stop(at: now)
    }

    // MARK: - Halting the board

    /// Halts the board if everything is on disk and, on a board that motion wakes, the accelerometer is ready.
    private mutating func halt(wakeAfter: Duration?, state: EngineState, at now: Instant) {
        // If the engine has not yet taken over a former state, that state must remain on disk.
        guard !writer.hasFormerState, save(state, at: now) else { return refuseHalt("the state is not on disk yet") }
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

    // MARK: - The log

    private mutating func count(_ reason: FixRejection) {
        refusals[reason, default: 0] += 1
        log.debug("fix rejected", metadata: ["reason": "\(reason.rawValue)", "times": "\(refusals[reason] ?? 0)"])
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
