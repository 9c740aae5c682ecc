// TrackerDaemon contains the loop that owns the engine, and the parts outside the core: configuration, effects, uploads. The
// module uses devices only through the protocols of Hardware. Start reading here. The loop runs on one thread, and carries out
// all effects of an event before it handles the next event.

package import Configuration
package import Hardware
package import Logging
package import Quantities
package import Store
package import Tracking

/// The daemon: waits, passes each event to the engine, and carries out the effects in order.
package final class Tracker {
    /// The devices of the tracker.
    package struct Devices {
        /// Reports fixes.
        package var receiver: any Receiver
        /// Reports motion; nil on a board without an accelerometer.
        package var motionSensor: (any MotionSensor)?

        /// Listens for beacons.
        package var scanner: (any BeaconScanner)?
        /// The other inputs: ignition, private switch, supply, battery.
        package var inputs: [any EventSource] = []
        /// Shows that trackerd tracks the vehicle.
        package var light: (any IndicatorLight)?
        /// Reduces the board's current while the vehicle is parked.
        package var saver: (any PowerSaver)?
        /// Halts the board.
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
    /// Reads the configuration again; nil if the program has no configuration file.
    package var readConfiguration: (() throws(ConfigurationError) -> ConfigurationChange)?
    /// Checks that the program could start with the present configuration file; nil if the program cannot start itself again.
    package var checkStart: (() throws(ConfigurationError) -> Void)?
    /// The name of the tracker, which the status shows; nil in a replay.
    package var device: String?
    /// Runs the doctor for clients; nil if the program cannot run it.
    package var doctor: DoctorDesk?
    /// The orders that the servers may send.
    package var remoteControl = RemoteControl()
    /// Receives each effect after the performer has carried it out, with the record that results.
    package var observer: ((Effect, StoredRecord?, Instant) -> Void)?

    let log: Logger
    let control: ControlSocket?
    /// The socket for clients that may only read; nil if there is none.
    let reading: ControlSocket?
    let uploads: UploadHandle
    /// Opens the list of set-aside records; nil if the program has no such list.
    let openSetAside: (() throws -> SetAsideTable)?
    /// The list of set-aside records; nil until its first use in the present database file.
    var setAside: SetAsideTable?
    /// The names and records of trips; nil until its first use in the present database file.
    var trips: TripTable?
    /// The history for clients; nil until its first use in the present database file.
    var history: HistoryDesk?
    var engine: Engine
    private var buffer = EffectBuffer()
    var performer: EffectPerformer
    /// The clients that wait for a location.
    var pendingLocates: [PendingLocate] = []
    /// The clients that record the sensors' reports.
    var recorders: [EventRecorder] = []
    /// The clients that watch the status and the events.
    var watchFeed: WatchFeed
    /// The settings of the Prometheus textfile; nil if the configuration sets none.
    package var metrics: MetricSettings? {
        didSet { metricFile = metrics.map { MetricFile($0, pace: control?.pace ?? 1, log: log) } }
    }
    private var metricFile: MetricFile?
    /// The number of times that the loop has woken up.
    private(set) var wakeUps = 0
    /// The lengths of the loop's turns.
    var turns = TurnMeter()
    /// The version of the program.
    let version: String
    /// The requests that the control socket accepts.
    var controlRequests = ControlRequests.all
    /// The reason for the vehicle's state; nil if it has not changed since the program started.
    private(set) var lastChange: String?

    /// Whether orders of servers may be waiting.
    var mayHaveOrders = true
    /// Whether more orders wait that can be carried out now.
    var hasDueOrders = false
    /// Whether the program must end and start again as soon as all records are on disk.
    var mustRestart = false
    /// What the server must receive to confirm its options; nil if no options are on trial.
    var trialProof: TrialProof?
    private let clock: any LoopClock
    let devices: Devices
    /// When the program started.
    let began: Instant
    private let loop: EventLoop
    private let queueWatch: QueueWatch
    private var service: ServiceManager
    /// Why the tracker could not open the queue at the start; nil if the tracker opened it.
    private let absence: StoreError?
    /// Why the tracker does not use some parts; nil if it uses all parts.
    let safeMode: SafeMode?
    private var faults = FaultLog()
    /// The number of failed transfers that was last reported to the engine.
    private var transferErrors = 0
    /// The last report to the engine about the system clock: the time of boot according to this clock, and the trust in it.
    private var reported: (boot: Timestamp, isTrusted: Bool)?
    /// The smallest drift of the system clock that the tracker reports to the engine.
    ///
    /// The time since boot is the reference for the drift.
    private static let clockTolerance = Duration.seconds(1)
    /// The longest time for which the devices together may take to close; the program ends within 2 s of SIGTERM.
    private static let closingTimeout = Duration.seconds(1)

    /// Makes a tracker that continues from the state in the queue.
    package init(
        setup: EngineConfiguration, queue: RecordQueue, devices: Devices, clock: any LoopClock, log: Logger,
        control: ControlSocket? = nil, reading: ControlSocket? = nil, uploads: UploadHandle,
        alarm: QueueAlarm = QueueAlarm(),
        absence: StoreError? = nil, openSetAside: (() throws -> SetAsideTable)? = nil, safeMode: SafeMode? = nil,
        service: ServiceManager = ServiceManager()
    ) throws {
        self.service = service
        self.uploads = uploads
        self.openSetAside = openSetAside
        (self.control, self.reading) = (control, reading)
        self.clock = clock
        self.devices = devices
        self.log = log
        loop = try EventLoop(clock: clock)
        queueWatch = QueueWatch(alarm)
        self.absence = absence
        self.safeMode = safeMode
        let restored = queue.restoredState
        if let warning = restored?.warning { log.warning("\(warning)") }
        let state = restored?.state ?? EngineState()
        queue.decisions.begin(isMoving: state.isMoving)
        var setup = setup
        setup.recoveries = devices.receiver.recoveries
        setup.program.bootID = clock.bootID
        engine = Engine(setup, serverRegions: queue.serverRegions ?? [], restoring: state)
        version = setup.program.version ?? "unknown"
        began = clock.now()
        watchFeed = WatchFeed(since: began, pause: .seconds(1) * (control?.pace ?? 1))
        summary = DriveSummary(restored: state, at: began)
        performer = EffectPerformer(
            queue: queue, devices: devices, boot: clock.bootID, log: log, uploads: uploads)
    }

    /// Runs until SIGTERM or SIGINT arrives, until a request restarts the program, or until `end` if that is not nil; then
    /// commits all waiting records.
    @discardableResult
    package func run(until end: Instant? = nil) throws -> Ending {
        // Close the devices even if the loop or the last commit fails; otherwise a device could remain switched on.
        defer { closeDevices() }
        begin()
        service.ready(at: clock.now())
        var pages = ProgramPages(start: clock.now())
        let fixed = devices.sources
        var ending = Ending.time
        while true {
            let sources = fixed + [queueWatch] + [doctor].compactMap(\.self) + sockets.flatMap(\.sources)
            let orders = hasDueOrders ? Instant.boot : nil
            let deadlines = [
                performer.deadline, end, service.deadline, orders, watchFeed.deadline, metricFile?.deadline,
            ]
            let (ready, signal) = try loop.wait(for: sources, until: deadlines.compactMap { $0 }.min())
            wakeUps += 1
            let now = clock.now()
            turns.begin(at: clock.realNow())
            if signal == .stop {
                ending = .signal
                break
            }
            if signal == .reload { reload(at: now) }
            reportClock(at: now)
            for (source, isReady) in zip(sources, ready) {
                let isDue = source.wait.deadline.map { $0 <= now } ?? false
                guard isReady || isDue else { continue }
                turns.note(source.name)
                for event in source.advance(at: now) { handle(event, at: now) }
                faults.update(from: source, log)
            }
            proveOptions(at: now)
            if queueWatch.takeRing() { noteUpload() }
            while let timer = performer.popTimer(through: now) {
                turns.note(timer.rawValue)
                handle(.timer(timer), at: now)
            }
            reportConditions(at: now)
            serveControl(at: now)
            if performer.tendQueue(at: now) {
                setAside?.close()
                trips?.close()
                history?.close()
                (setAside, trips, history) = (nil, nil, nil)
                mayHaveOrders = true
                performer.replace(engine.serverRegions)
            }
            mayHaveOrders = queueWatch.takeOrders() || mayHaveOrders
            serveOrders(at: now)
            // If the maintenance has findings, `reportConditions` records them.
            reportConditions(at: now)
            if performer.flushIfDue(at: now) {
                turns.note("commit")
                watchFeed.noteChange()
            }
            if let former = performer.formerState(for: engine) {
                followServerRegions(at: now)
                handle(.resumed(former), at: now)
                _ = performer.save(engine.state, at: now)
            }
            if faults.takeChange() { watchFeed.noteChange() }
            serveWatchers(at: now)
            metricFile?.turn(at: now, isPassing: engine.isCheckingPosition) { metricValues(isUp: true, at: now) }
            reportToServiceManager(at: now)
            if pages.isReleaseDue(at: now) { ProgramPages.release() }
            endTurn()
            if let end, now >= end { break }
            if isRestartDue(at: now) {
                ending = .restart
                break
            }
        }
        if ending == .signal { service.stopping() }
        try finish()
        return ending
    }

    private func begin() {
        let now = clock.now()
        // Report the clock first, because the engine's estimate of UTC dates everything else.
        reportClock(at: now)
        if let absence { performer.reportAbsence(absence, at: now) }
        _ = performer.tendQueue(at: now)
        devices.scanner?.scan(.off, at: now)
        if devices.motionSensor == nil { handle(.motionSensor(isThere: false), at: now) }
        log.notice("\(engine.isMoving ? "Started; the vehicle was moving." : "Started; the vehicle was parked.")")
        followServerRegions(at: now)
        handle(.started, at: now)
        if let safeMode { begin(safeMode, at: now) }
        // Inform the saver now, because the state does not change if the vehicle is already parked at the start.
        if let saver = devices.saver {
            saver.rest(!engine.isMoving)
            faults.update(from: saver, log)
        }
        reportConditions(at: now)
        performer.enterLoop()
        if metrics != nil { uploads.reportToLoop(true) }
    }

    /// Notes that the values of the uploads may have changed, for example because a target has received records.
    private func noteUpload() {
        watchFeed.noteChange()
        metricFile?.noteChange()
    }

    /// Reports that the tracker does not use all parts.
    private func begin(_ safeMode: SafeMode, at now: Instant) {
        log.error("\(safeMode)")
        if safeMode.stopsScanner { handle(.beaconScanner(isListening: false), at: now) }
        handle(.safeMode(reason: safeMode.cause), at: now)
    }

    /// Informs the engine if the time of the system clock or the trust in this clock has changed since the last call,
    /// for example because a time server answered late.
    private func reportClock(at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        let boot = time - (now - .boot)
        if let reported, reported.isTrusted == isTrusted, (reported.boot - boot).magnitude < Self.clockTolerance {
            return
        }
        reported = (boot, isTrusted)
        handle(.wallClock(time, isTrusted: isTrusted), at: now)
    }

    /// Reports to the engine the changes of the devices and the disk since the last call.
    private func reportConditions(at now: Instant) {
        if let count = devices.motionSensor?.errorCount, count != transferErrors {
            transferErrors = count
            handle(.transferErrors(count), at: now)
        }
        for event in performer.takeReports() { handle(event, at: now) }
    }

    /// The state of the vehicle and the tracker's present limitations, for `systemctl status`.
    private var conditions: String {
        let limits = [safeMode?.description, performer.diskFault].compactMap { $0 }
        return ([engine.isMoving ? "Moving." : "Parked."] + limits).joined(separator: " ")
    }

    private func reportToServiceManager(at now: Instant) {
        service.report(status: conditions)
        service.turn(at: now, uploads)
    }

    private func endTurn() {
        guard let turn = turns.end(at: clock.realNow()) else { return }
        log.debug(
            "long turn of the loop",
            metadata: [
                "ms": "\(turn.length.nanoseconds / 1_000_000)", "handled": "\(turn.work.joined(separator: ", "))",
            ])
    }

    private func finish() throws {
        let now = clock.now()
        handle(.power(.shutdown), at: now)
        for socket in sockets { socket.close() }
        metricFile?.write(metricValues(isUp: false, at: now), at: now)
        // During a trip, the engine cannot take over the former state. The trip ends with the program. The engine
        // therefore takes over the state now.
        if let former = performer.leftoverState { handle(.resumed(former), at: now) }
        performer.finish(engine.state, at: now)
        guard performer.endangeredCount == 0 else { throw LostRecords(count: performer.endangeredCount) }
        log.notice("Ended.")
    }

    /// Closes the devices in the reverse order of their start; all devices together must close within `closingTimeout`.
    private func closeDevices() {
        let deadline = clock.now() + Self.closingTimeout
        doctor?.close(at: clock.now(), by: deadline)
        for device in devices.all.reversed() { device.close(at: clock.now(), by: deadline) }
    }

    /// Passes the event to the engine and carries out the effects; returns the records that result.
    @discardableResult
    func handle(_ event: Event, at now: Instant) -> [StoredRecord] {
        buffer.removeAll()
        engine.handle(event, at: now, into: &buffer)
        // In a private period, a recording also contains no position.
        if !engine.isPrivate || !event.isFix { recorders.forEach { $0.note(event, at: now) } }
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
            if case .decided(let decision) = effect { noteChange(decision) }
            if let device = performer.device(of: effect) { faults.update(from: device, log) }
            summary.observe(effect, at: now)
            observer?(effect, stored, now)
            if effect.isOfNote { metricFile?.noteChange() }
            if watchFeed.isWatched { watchFeed.note(effect, stored, time: engine.time(at: now), at: now) }
        }
        for record in records { noteForTrial(record) }
        watchFeed.noteChange()
        summary.observe(odometer: engine.odometer)
        if !pendingLocates.isEmpty { answerLocates(with: records, at: now) }
        return records
    }

    private func noteChange(_ decision: Decision) {
        switch decision.subject {
        case .start where engine.isMoving, .stop where !engine.isMoving: lastChange = decision.text
        case .start, .stop, .receiver, .sensor, .beacon, .request, .region, .schedule, .privacy, .options, .power: break
        }
    }
}

extension Event {
    fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
}

extension Effect {
    fileprivate var isRecord: Bool {
        if case .record = self { true } else { false }
    }
}
