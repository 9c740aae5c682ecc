internal import Delivery
internal import Formats
internal import Quantities
internal import Tracking
internal import TrackingOptions

/// Carries out the effects of a target's `Delivery`, with transport and queue.
final class TargetWorker {
    private let target: UploadTarget
    private let queue: any DeliveryQueue
    private let transport: any Transport
    private let inbound: Inbound?
    private let clocks: UploadClocks
    private var search: RecordSearch
    private var delivery: Delivery
    private var agenda = Agenda()
    private var outbox: Outbox
    private var reporter: Reporter
    private var secrets: TargetSecrets
    /// Nil if the target has no budget.
    private var traffic: TrafficAccount?
    /// Why the target must not use the present network; nil if it may.
    private var obstacle: String?
    private var wasAvailable = true
    private var isSuspended = false

    /// The limit of events per turn, so that the other targets get their turns.
    private static let eventsPerTurn = 64

    init(
        _ target: UploadTarget, _ queue: any DeliveryQueue, _ transport: any Transport, _ jitter: Jitter,
        _ clocks: UploadClocks, report: @escaping (UploadReport) -> Void, count: @escaping (String, Verdict) -> Void
    ) {
        (self.target, self.queue, self.transport, self.clocks) = (target, queue, transport, clocks)
        inbound = target.acceptsOrders ? Inbound(target, queue) : nil
        search = RecordSearch(for: target.name, target.rules.filter, in: queue)
        traffic = target.rules.monthlyBytes.map { TrafficAccount(of: target.name, limit: $0, in: queue) }
        secrets = TargetSecrets(of: target, at: clocks.now())
        reporter = Reporter { report(UploadReport(target: target.name, event: $0)) }
        let batch = min(target.batchSize, target.format.recordsPerPayload.upperBound)
        // After a refusal, `Delivery` halves a batch of several records. Only one such batch is therefore in flight at a time.
        let window = batch > 1 ? 1 : target.transport.window
        let policy = Delivery.Policy(
            order: target.order, replay: target.replay, syncInterval: target.syncInterval, batch: batch, window: window)
        delivery = Delivery(policy: policy, jitter: jitter)
        outbox = Outbox(target, transport, window: window) { count(target.name, $0) }
        if let missing = target.missing {
            reporter.report(.held(reason: missing.reason, needsOwner: true), at: clocks.now())
        }
    }

    /// Tries earlier than planned if `isAsked`; nil unless missing secrets have appeared.
    func repairedTarget(at now: Instant, isAsked: Bool) -> UploadTarget? {
        guard let target = secrets.retry(at: now, isAsked: isAsked) else { return nil }
        reporter.report(.held(reason: nil), at: now)
        return target
    }

    var name: String { target.name }

    var watches: [Watch] { isResting ? [] : connections + secrets.watches }

    private var connections: [Watch] { transport.watches + (inbound?.watches ?? []) }

    var isResting: Bool { isSuspended || obstacle != nil || isOverBudget || secrets.isMissing }

    private var isOverBudget: Bool { traffic?.isUsedUp == true }

    /// True if no batch is in flight, and nothing waits except suspects.
    var isIdle: Bool { agenda.isEmpty && delivery.isIdle }

    var deadline: Instant? {
        if secrets.isMissing { return secrets.due }
        guard !isResting else { return monthEnd }
        guard agenda.isEmpty else { return .boot }
        return .earliest(agenda.timer, outbox.deadline, reporter.deadline, inbound?.deadline)
    }

    /// When a used-up budget begins anew; nil if the budget is not used up, and while uploads are suspended.
    private var monthEnd: Instant? {
        guard isOverBudget, !isSuspended, let month = traffic?.month else { return nil }
        return clocks.now() + max(.seconds(1), month.end - clocks.utc())
    }

    /// Adds an event in place of an equal one. The target's own `replay` overrides that of the event.
    func signal(_ event: Delivery.Event) {
        guard case .rules(let rules) = event, let replay = target.rules.replay else { return agenda.renew(event) }
        agenda.renew(.rules(UploadRules(syncInterval: rules.syncInterval, replay: replay)))
    }

    /// Records in flight remain in flight.
    func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }

    /// `isNew` is true if the network has changed, so that uploads need not wait for the pause after failures.
    func follow(_ state: NetworkState, isNew: Bool, breaksConnections: Bool, at now: Instant) {
        let obstacle = target.staysHere || secrets.isMissing ? nil : target.rules.network.obstacle(in: state)
        if !target.staysHere, breaksConnections || obstacle != nil { breakOff(at: now) }
        agenda.remove([.networkLost, .networkReturned])
        defer { wasAvailable = state.isAvailable }
        if target.staysHere {
            // The server may be the local end of a tunnel, so only the return of the network matters.
            if state.isAvailable, !wasAvailable { agenda.add(.networkReturned) }
        } else if !state.isAvailable {
            agenda.add(.networkLost)
        } else if isNew {
            agenda.add(.networkReturned)
        }
        let isMetered = !target.staysHere && target.rules.network.isMetered(state)
        transport.follow(isMetered: state.isAvailable || target.staysHere ? isMetered : nil)
        inbound?.follow(isOnline: state.isAvailable, at: now)
        guard obstacle != self.obstacle else { return }
        self.obstacle = obstacle
        reporter.report(.held(reason: obstacle), at: now)
    }

    func fetchNow(at now: Instant) { inbound?.fetchNow(at: now) }

    /// Nil ends the fetching of regions.
    func follow(_ query: RegionQuery?, at now: Instant) { inbound?.follow(query, at: now) }

    /// Does what is due, without waiting.
    func turn(at now: Instant) {
        measureTraffic(at: now)
        guard !isResting else { return }
        // A server that rejected the user may accept the changed secret.
        if secrets.takeChange() { agenda.add(.networkReturned) }
        outbox.advance(at: now)
        takeArrivals(at: now)
        agenda.ring(at: now)
        reporter.flush(at: now)
        guard !agenda.isEmpty else { return }
        for _ in 0..<Self.eventsPerTurn {
            guard let event = agenda.next() else { break }
            perform(delivery.handle(event, at: now), isTurn: true, at: now)
        }
        // Nothing else wakes the thread for what has arrived meanwhile.
        takeArrivals(at: now)
    }

    /// Stores deliveries, but starts no upload.
    func rest(at now: Instant) {
        measureTraffic(at: now)
        let outcomes = outbox.takeAll()
        if !outcomes.isEmpty { perform(delivery.handle(.settled(outcomes), at: now), isTurn: false, at: now) }
    }

    func close(at now: Instant) {
        rest(at: now)
        try? traffic?.store()
        inbound?.close()
        transport.close()
    }

    /// Records in flight are sent again later.
    private func breakOff(at now: Instant) {
        transport.breakOff()
        inbound?.breakOff(at: now)
        outbox.advance(at: now)
        agenda.settle(outbox.takeAll())
    }

    /// Takes messages immediately, and outcomes when `Settlements` releases them.
    private func takeArrivals(at now: Instant) {
        transport.takeNotices().forEach { reporter.report(.notice($0), at: now) }
        if let inbound {
            inbound.receive(transport.takeMessages(), at: now)
            transport.takeRefusals().forEach(inbound.note)
            for reason in inbound.poll(at: now) { reporter.report(.notice(reason), at: now) }
            if let event = inbound.takeReport(at: now) { reporter.report(event, at: now) }
        }
        agenda.settle(outbox.take(inFlight: delivery.inFlight, at: now))
    }

    /// Counts the bytes, and ends the connection when the budget is used up, until the next month.
    private func measureTraffic(at now: Instant) {
        guard let former = traffic else { return }
        do {
            try traffic?.count(connections, at: clocks.utc())
        } catch {
            signal(.queueFailed(reason: "\(error)"))
        }
        guard isOverBudget != former.isUsedUp else { return }
        if isOverBudget { breakOff(at: now) } else { signal(.networkReturned) }
        reporter.report(.held(reason: traffic?.obstacle, needsOwner: isOverBudget), at: now)
    }

    /// In a turn, HTTP goes on sending after each effect. Otherwise a fast server would have no request while the next
    /// window is prepared, which takes as long as ten requests.
    private func perform(_ effects: [Delivery.Effect], isTurn: Bool, at now: Instant) {
        var isQueueWorking = true
        var unsent: [BatchOutcome] = []
        for effect in effects {
            if case .report(let event) = effect {
                reporter.report(event, at: now)
            } else if isQueueWorking {
                do {
                    if let outcome = try perform(effect, at: now) { unsent.append(outcome) }
                    if isTurn, target.transport.kind == .http { outbox.advance(at: clocks.now()) }
                } catch {
                    isQueueWorking = false
                    signal(.queueFailed(reason: "\(error)"))
                }
            }
        }
        agenda.settle(unsent)
    }

    /// Returns an outcome only for a batch that is not sent.
    private func perform(_ effect: Delivery.Effect, at now: Instant) throws -> BatchOutcome? {
        switch effect {
        case .fetch(let limit, let excluding):
            try fetch(limit: limit, excluding: excluding, at: now)
        case .send(let batch):
            return outbox.send(batch, at: now)
        case .markDelivered(let sequences):
            try queue.markDelivered(sequences, to: target.name)
            agenda.add(.marked)
        case .setAside(let sequence, let reason):
            try queue.setAside(sequence, for: target.name, reason: reason)
        case .passOver(let sequence, let keepingStops):
            let count = try queue.passOver(through: sequence, keepingStops: keepingStops, for: target.name)
            agenda.add(.passedOver(count: count))
        case .arm(let instant):
            agenda.timer = instant
        case .report(let event):
            reporter.report(event, at: now)
        }
        return nil
    }

    private func fetch(limit: Int, excluding: [Int64], at now: Instant) throws {
        // The search comes before `markDelivered`, because it stops at the first record that is marked as delivered.
        let found = try search.find(limit: limit, excluding: excluding)
        if !found.excluded.isEmpty {
            let count = found.excluded.count
            try queue.markDelivered(found.excluded, to: target.name)
            reporter.report(.delivered(count: count, withheld: count), at: now)
        }
        agenda.add(.found(newest: found.newest, oldest: found.oldest))
        // Other records may follow those that the filter has removed.
        if found.oldest.isEmpty, !found.excluded.isEmpty { signal(.recordsCommitted) }
        let unreadable = queue.takeUnreadable()
        guard !unreadable.isEmpty else { return }
        reporter.report(.unsendable(sequences: unreadable, reason: "this version of trackerd cannot read it"), at: now)
    }
}

/// The events that are not handled yet.
private struct Agenda {
    private var events: [Delivery.Event] = [.recordsCommitted]
    var timer: Instant?

    var isEmpty: Bool { events.isEmpty }

    mutating func add(_ event: Delivery.Event) { events.append(event) }

    /// Removes equal events, so that the list stays short while nothing may be sent.
    mutating func renew(_ event: Delivery.Event) {
        remove([event])
        events.append(event)
    }

    mutating func remove(_ others: [Delivery.Event]) { events.removeAll(where: others.contains) }

    mutating func settle(_ outcomes: [BatchOutcome]) {
        if !outcomes.isEmpty { events.append(.settled(outcomes)) }
    }

    mutating func ring(at now: Instant) {
        guard let due = timer, now >= due else { return }
        timer = nil
        events.append(.timer)
    }

    mutating func next() -> Delivery.Event? { events.isEmpty ? nil : events.removeFirst() }
}

private struct Reporter {
    private let write: (UploadReport.Event) -> Void
    private var throttle = ReportThrottle()

    init(_ write: @escaping (UploadReport.Event) -> Void) { self.write = write }

    var deadline: Instant? { throttle.deadline }

    mutating func report(_ event: UploadReport.Event, at now: Instant) { throttle.take(event, at: now).forEach(write) }

    mutating func flush(at now: Instant) { throttle.flush(at: now).forEach(write) }
}
