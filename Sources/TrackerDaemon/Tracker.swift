//  TrackerDaemon: the loop that owns the engine, and what it needs from outside the core: configuration, effects,
//  uploads. It uses devices only through the protocols of Hardware. Start reading here: one thread, one loop, each effect
//  finished before the next event is handled.

package import Hardware
package import Logging
package import Quantities
package import Store
package import Tracking

/// The daemon: waits, hands each event to the engine, and carries out the effects in order.
package final class Tracker {
    /// The devices that the loop listens to.
    package struct Devices {
        /// Reports fixes.
        package var receiver: any Receiver
        /// Reports motion; nil on a board without an accelerometer.
        package var motionSensor: (any MotionSensor)?

        /// Listens for beacons.
        package var scanner: (any BeaconScanner)?
        /// What else reports: ignition, supply, battery.
        package var inputs: [any EventSource] = []
        /// Shows that the vehicle is tracked.
        package var light: (any IndicatorLight)?
        /// Makes the board draw less while the vehicle is parked.
        package var saver: (any PowerSaver)?
        /// Halts the board.
        package var halter: (any Halter)?
        /// What the board draws.
        package var currents = Currents()

        /// Puts the devices together; a board may have more than these.
        package init(receiver: any Receiver, motionSensor: (any MotionSensor)?) {
            self.receiver = receiver
            self.motionSensor = motionSensor
        }

        /// The devices that the loop waits for.
        var sources: [any EventSource] {
            [receiver as any EventSource, motionSensor, scanner, halter].compactMap { $0 } + inputs
        }

        /// All devices, in the order in which they start.
        var all: [any Device] { [saver as (any Device)?, light].compactMap { $0 } + sources }
    }

    /// What has been ordered since the program started, added up.
    package private(set) var summary: DriveSummary
    /// Hears of each effect after it was carried out, with the record that came of it.
    package var observer: ((Effect, StoredRecord?, Instant) -> Void)?

    let log: Logger
    let control: ControlSocket?
    let uploads: UploadHandle
    /// Opens the list of what targets have refused; nil in a program that has none.
    let openSetAside: (() throws -> SetAsideTable)?
    /// The list, once it was needed.
    var setAside: SetAsideTable?
    var engine: Engine
    private var buffer = EffectBuffer()
    var performer: EffectPerformer
    /// The clients that wait for a location.
    var pendingLocates: [PendingLocate] = []
    /// The requests that the control socket accepts.
    var controlRequests = ControlRequests.all
    /// The reason for the vehicle's state; nil if it has not changed since the program started.
    private(set) var lastChange: String?

    private let clock: any LoopClock
    let devices: Devices
    /// When the program started.
    let began: Instant
    private let loop: EventLoop
    private let queueWatch: QueueWatch
    /// Why the queue could not be opened at the start.
    private let absence: StoreError?
    private var faults = FaultLog()
    /// The date of boot as the engine estimates it, and whether that was trusted.
    private var reported: (boot: Timestamp, isTrusted: Bool)?
    /// The drift of the system clock from the time since boot above which the engine is informed.
    private static let clockTolerance = Duration.seconds(1)
    /// How long all devices may take to close; the program ends within 2 s of SIGTERM.
    private static let closingTimeout = Duration.seconds(1)

    /// Makes a tracker that continues from the state in the queue.
    package init(
        setup: EngineConfiguration, queue: RecordQueue, devices: Devices, clock: any LoopClock, log: Logger,
        control: ControlSocket? = nil, uploads: UploadHandle, alarm: QueueAlarm = QueueAlarm(),
        absence: StoreError? = nil, openSetAside: (() throws -> SetAsideTable)? = nil
    ) throws {
        self.uploads = uploads
        self.openSetAside = openSetAside
        self.control = control
        self.clock = clock
        self.devices = devices
        self.log = log
        loop = try EventLoop(clock: clock)
        queueWatch = QueueWatch(alarm)
        self.absence = absence
        let restored = queue.restoredState
        if let warning = restored?.warning { log.warning("\(warning)") }
        let state = restored?.state ?? EngineState()
        var setup = setup
        setup.recoveries = devices.receiver.recoveries
        engine = Engine(setup, restoring: state)
        began = clock.now()
        summary = DriveSummary(restored: state, at: began)
        performer = EffectPerformer(queue: queue, devices: devices, clock: clock, log: log, uploads: uploads)
    }

    /// Runs until a signal ends it, or until `end` when one is given; what waits is then on disk.
    package func run(until end: Instant? = nil) throws {
        // Also when the loop or the last commit fails, no device is left on.
        defer { closeDevices() }
        begin()
        let fixed = devices.sources
        while true {
            let sources = fixed + [queueWatch] + (control?.sources ?? [])
            let deadline = [performer.deadline, end].compactMap { $0 }.min()
            let (ready, signal) = try loop.wait(for: sources, until: deadline)
            let now = clock.now()
            if signal == .stop { break }
            if signal == .reload {
                log.notice("The configuration is read only at the start. Restart trackerd to apply changes.")
            }
            reportClock(at: now)
            for (source, isReady) in zip(sources, ready) {
                let isDue = source.wait.deadline.map { $0 <= now } ?? false
                guard isReady || isDue else { continue }
                for event in source.advance(at: now) { handle(event, at: now) }
                faults.update(from: source, log)
            }
            while let timer = performer.popTimer(through: now) { handle(.timer(timer), at: now) }
            serveControl(at: now)
            if performer.tendQueue(at: now) { setAside = nil }
            performer.flushIfDue(at: now)
            if let former = performer.formerState(for: engine) {
                handle(.resumed(former), at: now)
                _ = performer.save(engine.state, at: now)
            }
            if let end, now >= end { break }
        }
        try finish()
    }

    private func begin() {
        let now = clock.now()
        if let absence { performer.reportAbsence(absence, at: now) }
        _ = performer.tendQueue(at: now)
        reportClock(at: now)
        devices.scanner?.scan(.off, at: now)
        if devices.motionSensor == nil { handle(.motionSensor(isThere: false), at: now) }
        log.notice("\(engine.isMoving ? "Started; the vehicle was moving." : "Started; the vehicle was parked.")")
        handle(.started, at: now)
        // A vehicle that starts parked causes no change of state.
        if let saver = devices.saver {
            saver.rest(!engine.isMoving)
            faults.update(from: saver, log)
        }
    }

    /// Informs the engine if the system clock was set since the last call, for example by a late time server.
    private func reportClock(at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        let boot = time - (now - .boot)
        if let reported, reported.isTrusted == isTrusted, (reported.boot - boot).magnitude < Self.clockTolerance {
            return
        }
        reported = (boot, isTrusted)
        handle(.wallClock(time, isTrusted: isTrusted), at: now)
    }

    private func finish() throws {
        let now = clock.now()
        handle(.power(.shutdown), at: now)
        control?.close()
        // A trip that began without the state of before the start ends with the program; what counts is kept.
        if let former = performer.leftoverState { handle(.resumed(former), at: now) }
        performer.finish(engine.state, at: now)
        guard performer.unwrittenCount == 0 else { throw LostRecords(count: performer.unwrittenCount) }
        log.notice("Ended.")
    }

    /// Closes the devices in the reverse order of their start, within `closingTimeout` together.
    private func closeDevices() {
        let deadline = clock.now() + Self.closingTimeout
        for device in devices.all.reversed() { device.close(at: clock.now(), by: deadline) }
    }

    /// Lets the engine decide, and carries out what it orders; gives the records that came of it.
    @discardableResult
    func handle(_ event: Event, at now: Instant) -> [StoredRecord] {
        buffer.removeAll()
        engine.handle(event, at: now, into: &buffer)
        let (effects, state) = (buffer.effects, engine.state)
        performer.confirmTime(engine.isTimeConfirmed)
        performer.note(effects, at: now)
        // One transaction for all records of an event; later effects wait until it is on disk.
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
        }
        summary.observe(odometer: engine.odometer)
        if !pendingLocates.isEmpty { answerLocates(with: records, at: now) }
        return records
    }

    private func noteChange(_ decision: Decision) {
        switch decision.subject {
        case .start where engine.isMoving, .stop where !engine.isMoving: lastChange = decision.text
        case .start, .stop, .receiver, .sensor, .beacon, .request, .region, .schedule, .options, .power: break
        }
    }
}

/// The program ended while the database could not be written.
package struct LostRecords: Error, Sendable, Hashable, CustomStringConvertible {
    /// How many records were in memory alone.
    package let count: Int

    /// What happened.
    package var description: String {
        "queue: \(count) records could not be written before the end and are lost. Correct the database fault that the log names."
    }
}

extension Effect {
    fileprivate var isRecord: Bool {
        if case .record = self { true } else { false }
    }
}
