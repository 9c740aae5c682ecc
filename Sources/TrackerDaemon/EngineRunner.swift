package import Configuration
import Control
import Delivery
import Logging
package import Quantities
import Store
package import Tracking
import Upload

/// Gives events to the engine, and carries out its effects in order.
package final class EngineRunner {
    package private(set) var engine: Engine
    package private(set) var summary: DriveSummary
    package var orders = ServerOrders()
    package var program = RunningProgram()

    private var observer: ((Effect, StoredRecord?, Instant) -> Void)?
    private var performer: EffectPerformer
    private var buffer = EffectBuffer()
    /// Waits for the proof that a server still receives records under its options.
    private var trial = TrialWatch()
    private let writer: QueueWriter
    private let report: TrackerReport
    private let clients: Clients
    private let supervision: Supervision
    private let uploads: UploadHandle
    private let log: Logger

    init(
        _ engine: Engine, from state: EngineState, performer: EffectPerformer, writer: QueueWriter,
        report: TrackerReport, clients: Clients, supervision: Supervision, uploads: UploadHandle, log: Logger
    ) {
        (self.engine, self.performer, self.writer, self.report) = (engine, performer, writer, report)
        (self.clients, self.supervision, self.uploads, self.log) = (clients, supervision, uploads, log)
        summary = DriveSummary(restored: state, at: supervision.start.time)
    }

    /// The observer is called after the performer, with the record that results.
    package func observe(with observer: @escaping (Effect, StoredRecord?, Instant) -> Void) { self.observer = observer }

    var deadline: Instant? { .earliest(performer.deadline, orders.deadline) }

    // MARK: - Events

    @discardableResult
    func handle(_ event: Event, at now: Instant) -> [StoredRecord] {
        buffer.removeAll()
        if case .remoteOptions = event { trial.reset() }
        self.engine.handle(event, at: now, into: &buffer)
        // Copy the engine once; otherwise each use below would copy it.
        let engine = engine
        // In a private period, a recording contains no position.
        if !engine.isPrivate || !event.isFix { clients.record(event, at: now) }
        let effects = buffer.effects
        writer.date(by: engine.utcEstimate, at: now)
        writer.note(effects, at: now)
        // One transaction has all records of an event; it is committed before the later effects if a record must be on disk.
        let lastRecord = effects.lastIndex { if case .record = $0 { true } else { false } }
        var records: [StoredRecord] = []
        for (index, effect) in effects.enumerated() {
            let stored = performer.perform(effect, state: engine.state, at: now)
            if let stored { records.append(stored) }
            if index == lastRecord { performer.settle(at: now) }
            if let device = performer.device(of: effect) { supervision.update(from: device) }
            summary.observe(effect, at: now)
            observer?(effect, stored, now)
            supervision.note(effect, isMoving: engine.isMoving)
            clients.show(effect, stored, at: now) { engine.utcEstimate.time(at: now).time }
        }
        for record in records { trial.note(record, in: engine.status) { uploads.counts($0).records } }
        clients.noteChange()
        summary.observe(odometer: engine.odometer)
        clients.answerLocates(with: records, at: now) { writer.isOnDisk($0) }
        return records
    }

    func handleTimers(at now: Instant) {
        while let timer = performer.popTimer(through: now) {
            supervision.note(handling: timer.rawValue)
            handle(.timer(timer), at: now)
        }
    }

    func handleReports(at now: Instant) {
        for event in performer.takeReports() { handle(event, at: now) }
    }

    // MARK: - The queue

    @discardableResult
    func save(at now: Instant) -> Bool { performer.save(engine.state, at: now) }

    func flushIfDue(at now: Instant) -> Bool { performer.flushIfDue(at: now) }

    /// Takes over a state that the queue has found after the start, if the engine can.
    func resumeFormerState(at now: Instant) {
        guard writer.hasFormerState, engine.canResume, let former = writer.takeFormerState() else { return }
        followServerRegions(at: now)
        handle(.resumed(former), at: now)
        save(at: now)
    }

    func finish(at now: Instant) {
        // During a trip, the engine could not take over the former state; the trip ends with the program.
        if let former = writer.takeFormerState() { handle(.resumed(former), at: now) }
        performer.finish(engine.state, at: now)
    }

    // MARK: - Servers

    func nextOrders(at now: Instant) -> ArraySlice<StoredOrder> {
        orders.next(isTimeTrusted: { engine.utcEstimate.time(at: now).isTrusted }, waiting: { writer.waitingOrders })
    }

    /// Carries out an order once; one transaction has its effects and the record about it.
    func carryOut(_ order: StoredOrder, in session: any Session) {
        writer.begin(order)
        let report = OrderReport(order, in: session)
        handle(.order(report), at: session.now)
        writer.endOrder()
        save(at: session.now)
        let result = report.isAccepted ? "was carried out" : "was refused"
        log.notice("Order \(order.id) of \(order.target): \(report.request) \(result). \(report.text.printable())")
    }

    func store(_ regions: ServerRegions) { writer.replace([regions]) }

    /// Gives the engine the stored regions, except those of servers that have lost the permission to send regions.
    func followServerRegions(at now: Instant) {
        let lists = (writer.serverRegions ?? engine.status.serverRegions).filter {
            orders.permissions.permits(.regions, to: $0.target)
        }
        if lists != engine.status.serverRegions { handle(.serverRegions(lists), at: now) }
    }

    /// Keeps a server's options once they are proven.
    func proveOptions(at now: Instant) {
        guard engine.isTryingOptions else { return trial.reset() }
        let target = trial.provenTarget(
            in: engine.status, received: { uploads.counts($0).records }, isDelivered: { writer.isDelivered($0, to: $1) }
        )
        guard let target else { return }
        handle(.delivered(target: target), at: now)
        trial.reset()
        save(at: now)
    }

    // MARK: - The program

    /// Adopts the present configuration file; if this throws, the whole former configuration stays.
    func adoptConfiguration(at now: Instant) throws(ConfigurationError) -> ControlOutcome {
        guard let change = try program.readAgain() else {
            return ControlOutcome(text: "This program has no configuration file.", on_disk: true, records: [])
        }
        for note in change.notes { log.warning("\(note)") }
        let records = handle(.configuration(change.setup), at: now)
        writer.store(for: change.targets.map(\.name))
        uploads.replace(change.targets)
        orders.permissions = change.remoteControl
        followServerRegions(at: now)
        let isOnDisk = save(at: now)
        let text = change.sentence(after: records)
        log.notice("\(text)")
        return ControlOutcome(text: text, on_disk: isOnDisk, records: records.map(ControlRecord.init))
    }

    func planRestart(forServer: Bool, at now: Instant) throws(ControlError) {
        try program.planRestart(forServer: forServer, after: now - supervision.start.time, diskFault: writer.diskFault)
    }

    /// Saves the state if a request has asked for a restart; true once everything is on disk.
    func isRestartDue(at now: Instant) -> Bool {
        guard program.mustRestart, writer.diskFault == nil else { return false }
        return save(at: now) && writer.unwrittenCount == 0
    }

    func status(forServer: Bool = false, at now: Instant) -> Status {
        report.status(
            of: engine.status, summary, stopAt: performer.due(.stillness), device: program.device, forServer: forServer,
            at: now)
    }

    func metricValues(isUp: Bool, at now: Instant) -> MetricValues {
        report.metricValues(of: engine.status, summary, isUp: isUp, at: now)
    }
}

package struct ServerOrders {
    /// The limit of orders in one turn of the loop, after which devices are served again.
    private static let ordersPerPass = 4

    package var permissions = RemoteControl()
    private var mayWait = true
    private var hasDue = false

    var deadline: Instant? { hasDue ? .boot : nil }

    mutating func noteArrival() { mayWait = true }

    /// Returns at most `ordersPerPass` orders; without a trusted time, only those that never expire.
    mutating func next(isTimeTrusted: () -> Bool, waiting: () -> [StoredOrder]) -> ArraySlice<StoredOrder> {
        guard mayWait else { return [] }
        let (waiting, isTimeTrusted) = (waiting(), isTimeTrusted())
        let due = waiting.filter { $0.expires == nil || isTimeTrusted }
        mayWait = !waiting.isEmpty
        hasDue = due.count > Self.ordersPerPass
        return due.prefix(Self.ordersPerPass)
    }
}

extension ConfigurationChange {
    static func refusal(_ error: ConfigurationError) -> String {
        let sentences = error.problems.map(\.description) + ["The former configuration remains in force."]
        return sentences.joined(separator: " ")
    }

    fileprivate func sentence(after records: [StoredRecord]) -> String {
        let keys = records.flatMap { stored in
            if case .optionschange(let change) = stored.record.content { change.keys } else { [] as [String] }
        }
        let options = keys.isEmpty ? "none" : keys.joined(separator: ", ")
        let count = targets.count
        return
            "\(file) is in force, with \(count) \(count == 1 ? "target" : "targets"). Changed tracking options: \(options)."
    }
}

extension Event {
    fileprivate var isFix: Bool { if case .fix = self { true } else { false } }
}
