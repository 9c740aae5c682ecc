// TrackerDaemon has the loop that owns the engine, and carries out effects; it uses devices only through the protocols of
// Hardware. The loop runs on one thread, and carries out all effects of an event before it handles the next event. Start
// reading here.

import Upload
package import Configuration
package import Control
internal import Delivery
package import Hardware
package import Logging
package import Quantities
package import Store
package import Tracking

package final class Tracker {
    package enum Ending: Sendable, Hashable {
        case signal
        case time
        case restart
    }

    package let clients: Clients
    package let runner: EngineRunner

    private let loop: EventLoop
    private let queueWatch: QueueWatch
    private let writer: QueueWriter
    private let tables: QueueTables
    private let supervision: Supervision
    private let devices: TrackerDevices
    private let uploads: UploadHandle
    private let log: Logger

    /// The limit for all devices together, because the program must end within 2 s of SIGTERM.
    private static let closingTimeout = Duration.seconds(1)

    /// `absence` is the reason if the queue could not be opened.
    package init(
        setup: EngineConfiguration, queue: RecordQueue, devices: TrackerDevices, clock: any LoopClock, log: Logger,
        control: ControlSocket? = nil, reading: ControlSocket? = nil, uploads: UploadHandle,
        alarm: QueueAlarm = QueueAlarm(), absence: StoreError? = nil, openSetAside: (() throws -> SetAsideTable)? = nil,
        safeMode: SafeMode? = nil, service: ServiceManager = ServiceManager()
    ) throws {
        (self.log, self.devices, self.uploads) = (log, devices, uploads)
        loop = try EventLoop(clock: clock)
        queueWatch = QueueWatch(alarm)
        let start = TrackerStart(
            version: setup.program.version ?? "unknown", time: clock.now(), safeMode: safeMode, absence: absence)
        writer = QueueWriter(queue, boot: clock.bootID, log: log, uploads: uploads)
        tables = QueueTables(openSetAside, writer: writer, uploads: uploads)
        clients = Clients([control, reading].compactMap(\.self), version: start.version, since: start.time, log: log)
        supervision = Supervision(start, service: service, log: log)
        let (engine, state) = Self.engine(setup, queue, devices, boot: clock.bootID, log)
        runner = EngineRunner(
            engine, from: state,
            performer: EffectPerformer(devices: devices, writer: writer, uploads: uploads, log: log), writer: writer,
            report: TrackerReport(
                devices: devices, uploads: uploads, supervision: supervision, writer: writer, tables: tables),
            clients: clients, supervision: supervision, uploads: uploads, log: log)
    }

    private static func engine(
        _ setup: EngineConfiguration, _ queue: RecordQueue, _ devices: TrackerDevices, boot: String, _ log: Logger
    ) -> (Engine, EngineState) {
        let restored = queue.restoredState
        if let warning = restored?.warning { log.warning("\(warning)") }
        let state = restored?.state ?? EngineState()
        queue.decisions.begin(isMoving: state.isMoving)
        var setup = setup
        setup.recoveries = devices.receiver.recoveries
        setup.program.bootID = boot
        return (Engine(setup, serverRegions: queue.serverRegions ?? [], restoring: state), state)
    }

    /// Writes no metrics if the settings are nil.
    package func writeMetrics(_ settings: MetricSettings?) {
        supervision.writeMetrics(settings, pace: clients.pace)
    }

    /// Runs until a signal, a restart, or `end`; then commits all waiting records.
    @discardableResult
    package func run(until end: Instant? = nil) throws -> Ending {
        // Close the devices even if the loop or the last commit fails; otherwise a device could remain switched on.
        defer { closeDevices() }
        begin()
        supervision.ready(at: loop.clock.now())
        let ending = try repeatTurns(until: end)
        if ending == .signal { supervision.stopping() }
        try finish()
        return ending
    }

    private func begin() {
        let now = loop.clock.now()
        // Report the clock first, because the engine's estimate of UTC dates everything else.
        reportClock(at: now)
        if let absence = supervision.start.absence { writer.reportAbsence(absence, at: now) }
        _ = writer.tend(hasRung: true, at: now)
        devices.scanner?.scan(.off, at: now)
        if devices.motionSensor == nil { runner.handle(.motionSensor(isThere: false), at: now) }
        log.notice(
            "\(runner.engine.isMoving ? "Started; the vehicle was moving." : "Started; the vehicle was parked.")")
        runner.followServerRegions(at: now)
        runner.handle(.started, at: now)
        if let safeMode = supervision.start.safeMode { begin(safeMode, at: now) }
        // Inform the saver now, because the state does not change if the vehicle is already parked at the start.
        if let saver = devices.saver {
            saver.rest(!runner.engine.isMoving)
            supervision.update(from: saver)
        }
        reportConditions(at: now)
        writer.enterLoop()
        if supervision.writesMetrics { uploads.reportToLoop(true) }
    }

    private func begin(_ safeMode: SafeMode, at now: Instant) {
        log.error("\(safeMode)")
        if safeMode.stopsScanner { runner.handle(.beaconScanner(isListening: false), at: now) }
        runner.handle(.health(HealthReport(.safeMode, reason: safeMode.cause)), at: now)
    }

    private func finish() throws {
        let now = loop.clock.now()
        runner.handle(.power(.shutdown), at: now)
        clients.close()
        supervision.writeMetrics(runner.metricValues(isUp: false, at: now), at: now)
        runner.finish(at: now)
        guard writer.endangeredCount == 0 else { throw LostRecords(count: writer.endangeredCount) }
        log.notice("Ended.")
    }

    private func closeDevices() {
        let deadline = loop.clock.now() + Self.closingTimeout
        clients.doctor?.close(at: loop.clock.now(), by: deadline)
        for device in devices.all.reversed() { device.close(at: loop.clock.now(), by: deadline) }
    }

    // MARK: - A turn of the loop

    private func repeatTurns(until end: Instant?) throws -> Ending {
        let fixed = devices.sources + [queueWatch]
        while true {
            let sources = fixed + clients.sources
            let deadline = Instant.earliest(runner.deadline, end, supervision.deadline, clients.deadline)
            let (ready, signal) = try loop.wait(for: sources, until: deadline)
            let now = loop.clock.now()
            supervision.beginTurn(at: loop.clock.realNow())
            if signal == .stop { return .signal }
            if signal == .reload { reload(at: now) }
            reportClock(at: now)
            advance(sources, ready, at: now)
            reportConditions(at: now)
            serveControl(at: now)
            tendQueue(at: now)
            serveOrders(at: now)
            // If the maintenance has findings, `reportConditions` records them.
            reportConditions(at: now)
            commit(at: now)
            report(at: now)
            if let end, now >= end { return .time }
            if runner.isRestartDue(at: now) { return .restart }
        }
    }

    private func advance(_ sources: [any EventSource], _ ready: [Bool], at now: Instant) {
        // A source may become due while the tracker handles the events of an earlier one.
        for (source, isReady) in zip(sources, ready) where isReady || source.isDue(at: now) {
            supervision.note(handling: source.name)
            for event in source.advance(at: now) { runner.handle(event, at: now) }
            supervision.update(from: source)
        }
        runner.proveOptions(at: now)
        if queueWatch.hasRung {
            clients.noteChange()
            supervision.noteUpload()
        }
        runner.handleTimers(at: now)
    }

    func serveControl(at now: Instant) {
        clients.serve(at: now) { caller in
            session(for: .client(caller), at: now)
        } isHandling: {
            supervision.note(handling: "request \($0)")
        }
    }

    func serveOrders(at now: Instant) {
        for order in runner.nextOrders(at: now) {
            runner.carryOut(order, in: session(for: .server(order), at: now))
        }
    }

    private func session(for asker: TrackerSession.Asker, at now: Instant) -> TrackerSession {
        TrackerSession(
            runner: runner, tables: tables, clients: clients, uploads: uploads, log: log, now: now, asker: asker)
    }

    private func reload(at now: Instant) {
        do throws(ConfigurationError) {
            _ = try runner.adoptConfiguration(at: now)
        } catch {
            log.error("\(ConfigurationChange.refusal(error))")
        }
    }

    /// Maintains the queue; if another file has replaced the database, the tables open that file.
    private func tendQueue(at now: Instant) {
        if writer.tend(hasRung: queueWatch.takeRing(), at: now) {
            tables.close()
            runner.orders.noteArrival()
            writer.replace(runner.engine.status.serverRegions)
        }
        if queueWatch.takeOrders() { runner.orders.noteArrival() }
    }

    private func commit(at now: Instant) {
        if runner.flushIfDue(at: now) {
            supervision.note(handling: "commit")
            clients.noteChange()
        }
        runner.resumeFormerState(at: now)
    }

    private func report(at now: Instant) {
        if supervision.takeFaultChange() { clients.noteChange() }
        serveWatchers(at: now)
        supervision.writeMetricsIfDue(at: now, isPassing: runner.engine.status.isCheckingPosition) {
            runner.metricValues(isUp: true, at: now)
        }
        supervision.report(summaryLine, uploads, at: now)
        supervision.endTurn(at: loop.clock.realNow())
    }

    func serveWatchers(at now: Instant) {
        guard clients.areWatching else { return }
        clients.sendStatus(at: now, time: runner.engine.utcEstimate.time(at: now).time) { runner.status(at: now) }
        if !clients.areWatching { uploads.reportToLoop(supervision.writesMetrics) }
    }

    /// The line for `systemctl status`, with the present limitations.
    private var summaryLine: String {
        let limits = [supervision.start.safeMode?.description, writer.diskFault].compactMap { $0 }
        return ([runner.engine.isMoving ? "Moving." : "Parked."] + limits).joined(separator: " ")
    }

    /// Reports the time if the system clock was set, or if the trust in it has changed, for example because a time server
    /// answered late.
    private func reportClock(at now: Instant) {
        let (time, isTrusted) = loop.clock.wallTime()
        guard supervision.hasChanged(boot: time - (now - .boot), isTrusted: isTrusted) else { return }
        runner.handle(.wallClock(time, isTrusted: isTrusted), at: now)
    }

    private func reportConditions(at now: Instant) {
        if let count = devices.motionSensor?.errorCount, supervision.hasChanged(errors: count) {
            runner.handle(.transferErrors(count), at: now)
        }
        runner.handleReports(at: now)
    }
}

extension EventSource {
    fileprivate func isDue(at now: Instant) -> Bool { wait.deadline.map { $0 <= now } ?? false }
}

/// The program ended without writing these records.
package struct LostRecords: Error, Sendable, Hashable, CustomStringConvertible {
    package let count: Int

    package var description: String {
        "queue: trackerd lost \(count) \(count == 1 ? "record" : "records"), because the database did not accept them. Correct the database fault that the log reports."
    }
}
