internal import Quantities
internal import Tracking

/// Serves one target: carries out the orders of its `Delivery` with the transport and the queue.
final class TargetWorker {
    private let target: UploadTarget
    private let queue: any DeliveryQueue
    private let transport: any Transport
    private let report: (UploadReport.Event) -> Void
    private var delivery: Delivery
    private var settlements: Settlements
    private var events: [Delivery.Event] = [.recordsCommitted]
    private var timer: Instant?
    /// For each batch in flight, how many of its records the format cannot carry.
    private var omitted: [Int: Int] = [:]
    private let secrets: SecretWatch?

    /// The maximum number of events that a turn handles before the turns of the other targets.
    private static let eventsPerTurn = 64

    init(
        _ target: UploadTarget, _ queue: any DeliveryQueue, _ transport: any Transport, _ jitter: Jitter,
        report: @escaping (UploadReport) -> Void
    ) {
        self.target = target
        self.queue = queue
        self.transport = transport
        secrets = SecretWatch(target.access.files)
        self.report = { report(UploadReport(target: target.name, event: $0)) }
        let batch = min(target.batchSize, target.format.recordsPerPayload.upperBound)
        // A batch contains many records already, and is halved when the server refuses it, so only one batch is in flight at a
        // time.
        let window = batch > 1 ? 1 : target.transport.window
        let policy = Delivery.Policy(
            order: target.order, replay: target.replay, syncInterval: target.syncInterval, batch: batch,
            window: window)
        delivery = Delivery(policy: policy, jitter: jitter)
        settlements = Settlements(window: window)
    }

    var watches: [Watch] { transport.watches + (secrets.map { [$0.watch] } ?? []) }

    /// When the worker needs a turn even if no socket is ready.
    var deadline: Instant? {
        guard events.isEmpty else { return .boot }
        return [timer, transport.deadline, settlements.deadline].compactMap { $0 }.min()
    }

    func signal(_ event: Delivery.Event) { events.append(event) }

    /// Continues as far as possible without waiting.
    func turn(at now: Instant) {
        // A server that rejected the user may accept the new secret.
        if secrets?.takeChange() == true { events.append(.networkReturned) }
        settlements.add(transport.advance(at: now).map(countingOmitted), at: now)
        transport.takeNotices().forEach { report(.notice($0)) }
        let outcomes = settlements.take(inFlight: delivery.inFlight.count, at: now)
        if !outcomes.isEmpty { events.append(.settled(outcomes)) }
        if let due = timer, now >= due {
            timer = nil
            events.append(.timer)
        }
        for _ in 0..<Self.eventsPerTurn where !events.isEmpty {
            perform(delivery.handle(events.removeFirst(), at: now), at: now)
        }
    }

    /// Stores the known deliveries, and begins no upload.
    func rest(at now: Instant) {
        let outcomes = settlements.takeAll()
        if !outcomes.isEmpty { perform(delivery.handle(.settled(outcomes), at: now), at: now) }
    }

    func close(at now: Instant) {
        rest(at: now)
        transport.close()
    }

    private func perform(_ effects: [Delivery.Effect], at now: Instant) {
        var isQueueWorking = true
        var unsent: [BatchOutcome] = []
        for effect in effects {
            if case .report(let event) = effect {
                report(event)
            } else if isQueueWorking {
                do {
                    if let outcome = try perform(effect, at: now) { unsent.append(outcome) }
                } catch {
                    isQueueWorking = false
                    events.append(.queueFailed(reason: "\(error)"))
                }
            }
        }
        if !unsent.isEmpty { events.append(.settled(unsent)) }
    }

    /// Carries out one order; returns the outcome of a batch that was not sent.
    private func perform(_ effect: Delivery.Effect, at now: Instant) throws -> BatchOutcome? {
        switch effect {
        case .fetch(let limit, let excluding):
            let newest = try queue.newest(awaiting: target.name)
            let oldest = try queue.oldest(awaiting: target.name, limit: limit, excluding: excluding)
            events.append(.found(newest: newest, oldest: oldest))
            reportUnreadable()
        case .send(let batch):
            return send(batch, at: now)
        case .markDelivered(let sequences):
            try queue.markDelivered(sequences, to: target.name)
            events.append(.marked)
        case .setAside(let sequence, let reason):
            try queue.setAside(sequence, for: target.name, reason: reason)
        case .passOver(let sequence, let keepingStops):
            let count = try queue.passOver(through: sequence, keepingStops: keepingStops, for: target.name)
            events.append(.passedOver(count: count))
        case .arm(let instant):
            timer = instant
        case .report(let event):
            report(event)
        }
        return nil
    }

    private func send(_ batch: InFlightBatch, at now: Instant) -> BatchOutcome? {
        guard !(target.format.isStateOnly && batch.isOvertaken) else {
            return BatchOutcome(id: batch.id, verdict: .withheld)
        }
        let kind = target.transport.kind
        let carried = batch.records.filter { target.format.carries($0.record, over: kind) }
        guard !carried.isEmpty else { return BatchOutcome(id: batch.id, verdict: .withheld) }
        switch target.format.encode(carried, isNewest: batch.isNewest, for: target, over: kind) {
        case .payload(let payload):
            if carried.count < batch.records.count { omitted[batch.id] = batch.records.count - carried.count }
            transport.send(payload, as: batch.id, at: now)
            return nil
        case .withheld:
            return BatchOutcome(id: batch.id, verdict: .withheld)
        case .impossible(let reason):
            return BatchOutcome(id: batch.id, verdict: .unwritable(reason: reason))
        }
    }

    private func countingOmitted(_ outcome: BatchOutcome) -> BatchOutcome {
        guard let count = omitted.removeValue(forKey: outcome.id) else { return outcome }
        return BatchOutcome(id: outcome.id, verdict: outcome.verdict, withheld: count)
    }

    private func reportUnreadable() {
        let sequences = queue.takeUnreadable()
        guard !sequences.isEmpty else { return }
        report(.unsendable(sequences: sequences, reason: "this version of trackerd cannot read it"))
    }
}
