internal import Quantities

/// One target at work: carries out what its `Delivery` orders, with its transport and the queue.
final class UploadLane {
    private let target: UploadTarget
    private let queue: any DeliveryQueue
    private let transport: any Transport
    private let report: (UploadReport) -> Void
    private var delivery: Delivery
    private var settlements: Settlements
    private var events: [Delivery.Event] = [.recordsCommitted]
    private var timer: Instant?

    /// So many events are handled before the others have their turn.
    private static let eventsATurn = 64

    init(
        _ target: UploadTarget, _ queue: any DeliveryQueue, _ transport: any Transport, _ jitter: Jitter,
        report: @escaping (UploadReport) -> Void
    ) {
        self.target = target
        self.queue = queue
        self.transport = transport
        self.report = report
        let batch = min(target.batchSize, target.format.recordsPerParcel.upperBound)
        // A batch is many records already, and is halved when it is refused: one at a time.
        let window = batch > 1 ? 1 : target.transport.window
        let policy = Delivery.Policy(
            order: target.order, replay: target.replay, syncInterval: target.syncInterval, batch: batch,
            window: window)
        delivery = Delivery(policy: policy, jitter: jitter)
        settlements = Settlements(window: window)
    }

    var watches: [Watch] { transport.watches }

    /// When to have a turn even if no socket is ready.
    var deadline: Instant? {
        guard events.isEmpty else { return .boot }
        return [timer, transport.deadline, settlements.deadline].compactMap { $0 }.min()
    }

    func signal(_ event: Delivery.Event) { events.append(event) }

    /// Goes on as far as possible without waiting.
    func turn(at now: Instant) {
        settlements.add(transport.advance(at: now), at: now)
        let outcomes = settlements.take(onTheirWay: delivery.inFlight.count, at: now)
        if !outcomes.isEmpty { events.append(.settled(outcomes)) }
        if let due = timer, now >= due {
            timer = nil
            events.append(.timer)
        }
        for _ in 0..<Self.eventsATurn where !events.isEmpty {
            perform(delivery.handle(events.removeFirst(), at: now), at: now)
        }
    }

    /// Notes what is known to be delivered, and begins nothing.
    func rest(at now: Instant) {
        let outcomes = settlements.takeAll()
        if !outcomes.isEmpty { perform(delivery.handle(.settled(outcomes), at: now), at: now) }
    }

    /// Ends it.
    func close(at now: Instant) {
        rest(at: now)
        transport.close()
    }

    private func perform(_ effects: [Delivery.Effect], at now: Instant) {
        var isQueueWorking = true
        var unsent: [ShipmentOutcome] = []
        for effect in effects {
            if case .report(let news) = effect {
                report(UploadReport(target: target.name, news: news))
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

    /// Carries out one order; gives what became of a shipment that there was nothing to send for.
    private func perform(_ effect: Delivery.Effect, at now: Instant) throws -> ShipmentOutcome? {
        switch effect {
        case .fetch(let limit, let excluding):
            let newest = try queue.newest(awaiting: target.name)
            let oldest = try queue.oldest(awaiting: target.name, limit: limit, excluding: excluding)
            events.append(.found(newest: newest, oldest: oldest))
            reportUnreadable()
        case .send(let shipment):
            return send(shipment, at: now)
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
        case .report(let news):
            report(UploadReport(target: target.name, news: news))
        }
        return nil
    }

    private func send(_ shipment: Shipment, at now: Instant) -> ShipmentOutcome? {
        let kind = target.transport.kind
        switch target.format.pack(shipment.records, isNewest: shipment.isNewest, for: target, over: kind) {
        case .parcel(let parcel):
            transport.send(parcel, as: shipment.id, at: now)
            return nil
        case .withheld:
            return ShipmentOutcome(id: shipment.id, verdict: .withheld)
        case .impossible(let reason):
            return ShipmentOutcome(id: shipment.id, verdict: .unwritable(reason: reason))
        }
    }

    private func reportUnreadable() {
        let sequences = queue.takeUnreadable()
        guard !sequences.isEmpty else { return }
        let news = UploadReport.News.unsendable(
            sequences: sequences, reason: "this version of trackerd cannot read it")
        report(UploadReport(target: target.name, news: news))
    }
}
