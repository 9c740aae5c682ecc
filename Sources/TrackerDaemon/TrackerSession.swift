import Compatibility
import Configuration
import Control
import Logging
import Quantities
import Store
import Tracking

struct TrackerSession: Session {
    enum Asker {
        case client(Clients.Caller)
        case server(StoredOrder)
    }

    let runner: EngineRunner
    let tables: QueueTables
    let clients: Clients
    let uploads: UploadHandle
    let log: Logger
    let now: Instant
    let asker: Asker

    var engine: EngineStatus { runner.engine.status }
    var environment: RemoteOptions.Environment { runner.orders.permissions.environment }

    var server: String? {
        switch asker {
        case .client: nil
        case .server(let order): order.target
        }
    }

    func handle(_ events: [Event]) -> ControlChange {
        let before = runner.engine.status
        let records = events.flatMap { runner.handle($0, at: now) }
        // One transaction contains all effects of an order; the tracker commits the transaction at the end of the order.
        let isOnDisk = server != nil || runner.save(at: now)
        return ControlChange(before: before, after: runner.engine.status, records: records, isOnDisk: isOnDisk)
    }

    func permits(_ permission: RemotePermission) -> Bool {
        server.map { runner.orders.permissions.permits(permission, to: $0) } ?? true
    }

    func store(_ regions: ServerRegions) { runner.store(regions) }

    func status() -> Status { runner.status(forServer: server != nil, at: now) }

    func withQueue<Answer>(
        isWriting: Bool, _ body: (SetAsideTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer {
        try tables.withQueue(isWriting: isWriting, at: now, body)
    }

    func withTrips<Answer>(_ body: (TripTable, [String]) throws -> Answer) throws(ControlError) -> Answer {
        try tables.withTrips(at: now, body)
    }

    func withHistory<Answer>(_ body: (History) throws -> Answer) throws(ControlError) -> Answer {
        try tables.withHistory(body)
    }

    func fault(of target: String) -> String? { uploads.fault(target)?.text }

    func deliverNow() { uploads.tryNow() }

    func reload() throws(ControlError) -> ControlOutcome {
        do throws(ConfigurationError) {
            return try runner.adoptConfiguration(at: now)
        } catch {
            throw ControlError(ConfigurationChange.refusal(error))
        }
    }

    func restart() throws(ControlError) { try runner.planRestart(forServer: server != nil, at: now) }

    func examine() throws(ControlError) -> ControlExamination? {
        switch asker {
        case .client(let caller): try clients.examine(for: caller, time: engine.time(at: now), at: now)
        case .server: nil
        }
    }

    func answerLater(with answer: LaterAnswer) throws(ControlError) {
        guard case .client(let caller) = asker else { return }
        try clients.answer(caller, later: answer, at: now)
        if case .events = answer { uploads.reportToLoop(true) }
    }
}
