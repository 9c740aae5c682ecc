import Compatibility
import Configuration
import Control
import Logging
import Quantities
import Store
import Tracking

/// What a request may use of the tracker.
struct TrackerSession: Session {
    enum Asker {
        case client(Clients.Caller)
        case server(StoredOrder)
    }

    let tracker: Tracker
    let now: Instant
    let asker: Asker

    var engine: Engine { tracker.engine }
    var log: Logger { tracker.log }
    var environment: RemoteOptions.Environment { tracker.orders.permissions.environment }

    var server: String? {
        switch asker {
        case .client: nil
        case .server(let order): order.target
        }
    }

    func handle(_ events: [Event]) -> ControlChange {
        let before = tracker.engine
        let records = events.flatMap { tracker.handle($0, at: now) }
        // One transaction contains all effects of an order; the tracker commits the transaction at the end of the order.
        let isOnDisk = server != nil || tracker.performer.save(tracker.engine.state, at: now)
        return ControlChange(before: before, after: tracker.engine, records: records, isOnDisk: isOnDisk)
    }

    func permits(_ permission: RemotePermission) -> Bool {
        server.map { tracker.orders.permissions.permits(permission, to: $0) } ?? true
    }

    func store(_ regions: ServerRegions) { tracker.performer.replace([regions]) }

    func status() -> Status { tracker.status(at: now, forServer: server != nil) }

    func withQueue<Answer>(
        isWriting: Bool, _ body: (SetAsideTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer {
        try refusing {
            let (table, targets) = (try tracker.tables.presentQueue(), tracker.performer.targets)
            // Other programs do not block reading.
            guard isWriting else { return try body(table, targets) }
            return try tracker.performer.unlessLocked(at: now) { try body(table, targets) }
        }
    }

    func withTrips<Answer>(_ body: (TripTable, [String]) throws -> Answer) throws(ControlError) -> Answer {
        try refusing {
            let targets = tracker.performer.targets
            return try tracker.performer.unlessLocked(at: now) { try body(tracker.tables.presentTrips(), targets) }
        }
    }

    func withHistory<Answer>(_ body: (History) throws -> Answer) throws(ControlError) -> Answer {
        try refusing { try body(tracker.tables.presentHistory()) }
    }

    func fault(of target: String) -> String? { tracker.uploads.fault(target)?.text }

    func deliverNow() { tracker.uploads.tryNow() }

    func reload() throws(ControlError) -> ControlOutcome {
        do throws(ConfigurationError) {
            return try tracker.adoptConfiguration(at: now)
        } catch {
            throw ControlError(ConfigurationChange.refusal(error))
        }
    }

    func restart() throws(ControlError) { try tracker.planRestart(forServer: server != nil, at: now) }

    func examine() throws(ControlError) -> ControlExamination? {
        switch asker {
        case .client(let caller): try tracker.clients.examine(for: caller, time: engine.time(at: now), at: now)
        case .server: nil
        }
    }

    func answerLater(with answer: LaterAnswer) throws(ControlError) {
        guard case .client(let caller) = asker else { return }
        try tracker.clients.answer(caller, later: answer, at: now)
        if case .events = answer { tracker.uploads.reportToLoop(true) }
    }

    private func refusing<Answer>(_ body: () throws -> Answer) throws(ControlError) -> Answer {
        do {
            return try body()
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError("\(error)")
        }
    }
}
