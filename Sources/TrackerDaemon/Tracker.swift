// TrackerDaemon contains the loop that owns the engine, and the parts outside the core: configuration, effects, uploads. The
// module uses devices only through the protocols of Hardware. Start reading here. The loop runs on one thread, and carries out
// all effects of an event before it handles the next event.

package import Configuration
package import Control
internal import Delivery
package import Hardware
package import Logging
package import Quantities
package import Store
package import Tracking

/// The daemon: waits, passes each event to the engine, and carries out the effects in order.
package final class Tracker {
    package struct Devices {
        /// Reports fixes.
        package var receiver: any Receiver
        /// Reports motion; nil on a board without an accelerometer.
        package var motionSensor: (any MotionSensor)?

        package var scanner: (any BeaconScanner)?
        /// The other inputs: ignition, private switch, supply, battery.
        package var inputs: [any EventSource] = []
        /// Shows that trackerd tracks the vehicle.
        package var light: (any IndicatorLight)?
        /// Reduces the board's current while the vehicle is parked.
        package var saver: (any PowerSaver)?
        package var halter: (any Halter)?
        /// Whether the accelerometer's interrupt boots a halted board.
        package var isWokenByMotion = false
        /// The currents that the board draws.
        package var currents = Currents()

        /// Combines the two main devices; set the other properties if the board has more devices.
        package init(receiver: any Receiver, motionSensor: (any MotionSensor)?) {
            self.receiver = receiver
            self.motionSensor = motionSensor
        }

        /// The devices for which the loop waits.
        var sources: [any EventSource] {
            [receiver as any EventSource, motionSensor, scanner, halter].compactMap { $0 } + inputs
        }

        /// All devices, in the order in which they start.
        var all: [any Device] { [saver as (any Device)?, light].compactMap { $0 } + sources }
    }

    /// The totals of all effects since the program started.
    package private(set) var summary: DriveSummary
    /// Receives each effect after the performer has carried it out, with the record that results.
    package var observer: ((Effect, StoredRecord?, Instant) -> Void)?
    /// What the tracker knows of the program in which it runs.
    package var program = RunningProgram()

    let log: Logger
    let devices: Devices
    let uploads: UploadHandle
    package let clients: Clients
    private(set) var engine: Engine
    var performer: EffectPerformer
    var tables: Tables
    package var orders = ServerOrders()
    let supervision: Supervision

    private let loop: EventLoop
    private let queueWatch: QueueWatch
    private var buffer = EffectBuffer()

    /// The longest time for which the devices together may take to close; the program ends within 2 s of SIGTERM.
    private static let closingTimeout = Duration.seconds(1)

    /// Makes a tracker that continues from the state in the queue.
    ///
    /// - `absence`: why the tracker could not open the queue; nil if the tracker opened it.
    package init(
        setup: EngineConfiguration, queue: RecordQueue, devices: Devices, clock: any LoopClock, log: Logger,
        control: ControlSocket? = nil, reading: ControlSocket? = nil, uploads: UploadHandle,
        alarm: QueueAlarm = QueueAlarm(),
        absence: StoreError? = nil, openSetAside: (() throws -> SetAsideTable)? = nil, safeMode: SafeMode? = nil,
        service: ServiceManager = ServiceManager()
    ) throws {
        (self.log, self.devices, self.uploads) = (log, devices, uploads)
        loop = try EventLoop(clock: clock)
        queueWatch = QueueWatch(alarm)
        tables = Tables(openSetAside)
        let restored = queue.restoredState
        if let warning = restored?.warning { log.warning("\(warning)") }
        let state = restored?.state ?? EngineState()
        queue.decisions.begin(isMoving: state.isMoving)
        var setup = setup
        setup.recoveries = devices.receiver.recoveries
        setup.program.bootID = clock.bootID
        engine = Engine(setup, serverRegions: queue.serverRegions ?? [], restoring: state)
        let (version, began) = (setup.program.version ?? "unknown", clock.now())
        clients = Clients([control, reading].compactMap(\.self), version: version, since: began, log: log)
        supervision = Supervision(
            version: version, began: began, safeMode: safeMode, absence: absence,
            service: service, log: log)
        summary = DriveSummary(restored: state, at: began)
        performer = EffectPerformer(
            queue: queue, devices: devices, boot: clock.bootID, log: log, uploads: uploads)
    }

    /// When the program started.
    var began: Instant { supervision.began }

    /// Writes the Prometheus textfile with these settings; nil to write none.
    package func writeMetrics(_ settings: MetricSettings?) {
        supervision.writeMetrics(settings, pace: clients.pace)
    }

    /// Runs until SIGTERM or SIGINT arrives, until a request restarts the program, or until `end` if that is not nil; then
    /// commits all waiting records.
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
        if let absence = supervision.absence { performer.reportAbsence(absence, at: now) }
        _ = performer.tendQueue(at: now)
        devices.scanner?.scan(.off, at: now)
        if devices.motionSensor == nil { handle(.motionSensor(isThere: false), at: now) }
        log.notice("\(engine.isMoving ? "Started; the vehicle was moving." : "Started; the vehicle was parked.")")
        followServerRegions(at: now)
        handle(.started, at: now)
        if let safeMode = supervision.safeMode { begin(safeMode, at: now) }
        // Inform the saver now, because the state does not change if the vehicle is already parked at the start.
        if let saver = devices.saver {
            saver.rest(!engine.isMoving)
            supervision.update(from: saver)
        }
        reportConditions(at: now)
        performer.enterLoop()
        if supervision.writesMetrics { uploads.reportToLoop(true) }
    }

    /// Reports that the tracker does not use all parts.
    private func begin(_ safeMode: SafeMode, at now: Instant) {
        log.error("\(safeMode)")
        if safeMode.stopsScanner { handle(.beaconScanner(isListening: false), at: now) }
        handle(.health(HealthReport(.safeMode, reason: safeMode.cause)), at: now)
    }

    private func finish() throws {
        let now = loop.clock.now()
        handle(.power(.shutdown), at: now)
        clients.close()
        supervision.writeMetrics(metricValues(isUp: false, at: now), at: now)
        // During a trip, the engine cannot take over the former state. The trip ends with the program. The engine
        // therefore takes over the state now.
        if let former = performer.leftoverState { handle(.resumed(former), at: now) }
        performer.finish(engine.state, at: now)
        guard performer.endangeredCount == 0 else { throw LostRecords(count: performer.endangeredCount) }
        log.notice("Ended.")
    }

    /// Closes the devices in the reverse order of their start; all devices together must close within `closingTimeout`.
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
            let deadlines = [
                performer.deadline, end, supervision.deadline, orders.deadline, clients.deadline,
            ]
            let (ready, signal) = try loop.wait(for: sources, until: deadlines.compactMap { $0 }.min())
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
            if isRestartDue(at: now) { return .restart }
        }
    }

    /// Handles the events of the sources, and the timers that have expired.
    private func advance(_ sources: [any EventSource], _ ready: [Bool], at now: Instant) {
        // A source may become due while the tracker handles the events of an earlier one.
        for (source, isReady) in zip(sources, ready) where isReady || source.isDue(at: now) {
            supervision.note(handling: source.name)
            for event in source.advance(at: now) { handle(event, at: now) }
            supervision.update(from: source)
        }
        proveOptions(at: now)
        if queueWatch.takeRing() {
            clients.noteChange()
            supervision.noteUpload()
        }
        while let timer = performer.popTimer(through: now) {
            supervision.note(handling: timer.rawValue)
            handle(.timer(timer), at: now)
        }
    }

    /// Answers requests of the clients.
    func serveControl(at now: Instant) {
        clients.serve(at: now) { caller in
            TrackerSession(tracker: self, now: now, asker: .client(caller))
        } isHandling: {
            supervision.note(handling: "request \($0)")
        }
    }

    /// Maintains the database file; uses the new file if another one has replaced it.
    private func tendQueue(at now: Instant) {
        if performer.tendQueue(at: now) {
            tables.close()
            orders.noteArrival()
            performer.replace(engine.serverRegions)
        }
        if queueWatch.takeOrders() { orders.noteArrival() }
    }

    /// Commits the waiting data if a commit is due, and takes over the state of the previous run if the queue has found it.
    private func commit(at now: Instant) {
        if performer.flushIfDue(at: now) {
            supervision.note(handling: "commit")
            clients.noteChange()
        }
        if let former = performer.formerState(for: engine) {
            followServerRegions(at: now)
            handle(.resumed(former), at: now)
            _ = performer.save(engine.state, at: now)
        }
    }

    /// Reports the turn to the clients that watch, to the readers of the metrics, and to systemd.
    private func report(at now: Instant) {
        if supervision.takeFaultChange() { clients.noteChange() }
        serveWatchers(at: now)
        supervision.writeMetricsIfDue(at: now, isPassing: engine.isCheckingPosition) {
            metricValues(isUp: true, at: now)
        }
        supervision.report(summaryLine, uploads, at: now)
        supervision.endTurn(at: loop.clock.realNow())
    }

    /// Sends the status to the clients that watch, if it is due.
    func serveWatchers(at now: Instant) {
        guard clients.areWatching else { return }
        clients.sendStatus(at: now, time: engine.time(at: now)) { status(at: now) }
        if !clients.areWatching { uploads.reportToLoop(supervision.writesMetrics) }
    }

    /// The state of the vehicle and the tracker's present limitations, for `systemctl status`.
    private var summaryLine: String {
        let limits = [supervision.safeMode?.description, performer.diskFault].compactMap { $0 }
        return ([engine.isMoving ? "Moving." : "Parked."] + limits).joined(separator: " ")
    }

    // MARK: - Events

    /// Informs the engine if the time of the system clock or the trust in this clock has changed since the last call,
    /// for example because a time server answered late.
    private func reportClock(at now: Instant) {
        let (time, isTrusted) = loop.clock.wallTime()
        guard supervision.hasChanged(boot: time - (now - .boot), isTrusted: isTrusted) else { return }
        handle(.wallClock(time, isTrusted: isTrusted), at: now)
    }

    /// Reports to the engine the changes of the devices and the disk since the last call.
    private func reportConditions(at now: Instant) {
        if let count = devices.motionSensor?.errorCount, supervision.hasChanged(errors: count) {
            handle(.transferErrors(count), at: now)
        }
        for event in performer.takeReports() { handle(event, at: now) }
    }

    /// Passes the event to the engine and carries out the effects; returns the records that result.
    @discardableResult
    func handle(_ event: Event, at now: Instant) -> [StoredRecord] {
        buffer.removeAll()
        if case .remoteOptions = event { orders.trial.reset() }
        engine.handle(event, at: now, into: &buffer)
        // In a private period, a recording also contains no position.
        if !engine.isPrivate || !event.isFix { clients.record(event, at: now) }
        let (effects, state) = (buffer.effects, engine.state)
        performer.date(by: engine.utcEstimate, at: now)
        performer.note(effects, at: now)
        // One transaction contains all records of an event. If one of the records must be on disk at once, the tracker
        // commits the transaction before it carries out the later effects.
        let lastRecord = effects.lastIndex { $0.isRecord }
        var records: [StoredRecord] = []
        for (index, effect) in effects.enumerated() {
            let stored = performer.perform(effect, state: state, at: now)
            if let stored { records.append(stored) }
            if index == lastRecord { performer.settle(at: now) }
            if let device = performer.device(of: effect) { supervision.update(from: device) }
            summary.observe(effect, at: now)
            observer?(effect, stored, now)
            supervision.note(effect, isMoving: engine.isMoving)
            clients.show(effect, stored, at: now) { engine.time(at: now) }
        }
        for record in records { orders.trial.note(record, in: engine) { uploads.counts($0).records } }
        clients.noteChange()
        summary.observe(odometer: engine.odometer)
        clients.answerLocates(with: records, at: now) { performer.isOnDisk($0) }
        return records
    }
}

extension EventSource {
    fileprivate func isDue(at now: Instant) -> Bool { wait.deadline.map { $0 <= now } ?? false }
}

extension Event {
    fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
}

extension Effect {
    fileprivate var isRecord: Bool {
        if case .record = self { true } else { false }
    }
}
