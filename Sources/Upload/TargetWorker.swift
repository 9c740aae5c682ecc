internal import Delivery
internal import Formats
internal import Quantities
internal import Tracking
internal import TrackingOptions

/// Serves one target: carries out the orders of its `Delivery` with the transport and the queue.
final class TargetWorker {
    private let target: UploadTarget
    private let queue: any DeliveryQueue
    private let transport: any Transport
    private let write: (UploadReport.Event) -> Void
    private let count: (Verdict) -> Void
    private var throttle = ReportThrottle()
    private var delivery: Delivery
    private var settlements: Settlements
    private var events: [Delivery.Event] = [.recordsCommitted]
    private var timer: Instant?
    /// For each batch in flight, the number of records that the format cannot express.
    private var omitted: [Int: Int] = [:]
    private let secrets: SecretWatch?
    /// The wait for the secrets of the target; nil if the target is complete.
    private var secretWait: SecretWait?
    /// Why trackerd may not use the present network for the target; nil if trackerd may use it.
    private var obstacle: String?
    private var meter = TrafficMeter()
    /// The target's budget; nil if it has none.
    private var budget: TrafficBudget?
    private let clocks: UploadClocks
    private let inbound: Inbound?
    private var wasAvailable = true
    private var isSuspended = false
    /// The filter excludes all known records from the record with this number to the end of the queue.
    ///
    /// The value is nil if the worker knows no such records.
    private var tail: Int64?

    /// The maximum number of events that one turn handles, so that the other targets get their turns.
    private static let eventsPerTurn = 64
    /// The minimum number of records to examine in one transaction if a filter excludes some records from the target.
    private static let filteredAtOnce = 200
    /// The maximum number of records to examine in one search for the newest record that the filter admits.
    private static let longestSearch = 50

    init(
        _ target: UploadTarget, _ queue: any DeliveryQueue, _ transport: any Transport, _ jitter: Jitter,
        _ clocks: UploadClocks,
        report: @escaping (UploadReport) -> Void, count: @escaping (String, Verdict) -> Void
    ) {
        self.target = target
        self.queue = queue
        self.transport = transport
        secrets = SecretWatch(target.access.files)
        self.clocks = clocks
        inbound = target.acceptsOrders ? Inbound(target, queue) : nil
        budget = target.rules.monthlyBytes.map(TrafficBudget.init(limit:))
        write = { report(UploadReport(target: target.name, event: $0)) }
        self.count = { count(target.name, $0) }
        let batch = min(target.batchSize, target.format.recordsPerPayload.upperBound)
        // After a refusal, `Delivery` halves a batch of several records. Only one such batch is therefore in flight at a time.
        let window = batch > 1 ? 1 : target.transport.window
        let policy = Delivery.Policy(
            order: target.order, replay: target.replay, syncInterval: target.syncInterval, batch: batch,
            window: window)
        delivery = Delivery(policy: policy, jitter: jitter)
        settlements = Settlements(window: window)
        secretWait = target.missing.map { SecretWait(for: $0, at: clocks.now()) }
        if let missing = target.missing { write(.held(reason: missing.reason, needsOwner: true)) }
    }

    /// Returns the complete target if its missing secrets can be read now; tries earlier than planned if `isAsked` is true.
    func repairedTarget(at now: Instant, isAsked: Bool) -> UploadTarget? {
        guard let target = secretWait?.retry(at: now, isAsked: isAsked) else { return nil }
        write(.held(reason: nil))
        return target
    }

    var name: String { target.name }

    var watches: [Watch] {
        isResting ? [] : transport.watches + (secrets.map { [$0.watch] } ?? []) + (inbound?.watches ?? [])
    }

    /// Whether the worker must not send records at present.
    var isResting: Bool { isSuspended || obstacle != nil || isOverBudget || secretWait != nil }

    private var isOverBudget: Bool { budget?.isUsedUp == true }

    /// Whether the worker has no batch in flight, and no waiting record that it could send now.
    var isIdle: Bool { events.isEmpty && delivery.isIdle }

    /// When the worker needs a turn even if no socket is ready.
    var deadline: Instant? {
        if let secretWait { return secretWait.due }
        guard !isResting else { return monthEnd }
        guard events.isEmpty else { return .boot }
        return [timer, transport.deadline, settlements.deadline, throttle.deadline, inbound?.deadline]
            .compactMap { $0 }.min()
    }

    /// Adds an event and removes earlier equal events, so that the list stays short while the worker must not send
    /// records.
    ///
    /// If the target has its own `replay` rule, this rule overrides the rule in the event.
    func signal(_ event: Delivery.Event) {
        var event = event
        if case .rules(let rules) = event, let replay = target.rules.replay {
            event = .rules(UploadRules(syncInterval: rules.syncInterval, replay: replay))
        }
        events.removeAll { $0 == event }
        events.append(event)
    }

    /// Suspends or resumes uploads; records in flight remain in flight.
    func suspend(_ isSuspended: Bool) { self.isSuspended = isSuspended }

    /// Applies the state of the network; `isNew` is true if the state has changed.
    ///
    /// If a network is available after a change, uploads to another computer need not wait until the pause after earlier
    /// failures ends.
    func follow(_ state: NetworkState, isNew: Bool, breaksConnections: Bool, at now: Instant) {
        let obstacle = target.staysHere || secretWait != nil ? nil : target.rules.network.obstacle(in: state)
        if !target.staysHere, breaksConnections || obstacle != nil { breakOff(at: now) }
        events.removeAll { [.networkLost, .networkReturned].contains($0) }
        defer { wasAvailable = state.isAvailable }
        if target.staysHere {
            // The server may be the local end of a tunnel to another computer, so the worker reacts when the network
            // returns. Other changes of the network do not matter.
            if state.isAvailable, !wasAvailable { events.append(.networkReturned) }
        } else if !state.isAvailable {
            events.append(.networkLost)
        } else if isNew {
            events.append(.networkReturned)
        }
        let isMetered = !target.staysHere && target.rules.network.isMetered(state)
        transport.follow(isMetered: state.isAvailable || target.staysHere ? isMetered : nil)
        inbound?.follow(isOnline: state.isAvailable, at: now)
        guard obstacle != self.obstacle else { return }
        self.obstacle = obstacle
        report(.held(reason: obstacle), at: now)
    }

    /// Fetches the server's file with orders and its regions at once.
    func fetchNow(at now: Instant) { inbound?.fetchNow(at: now) }

    /// Fetches the regions of the server with this request from now on; nil to fetch none.
    func follow(_ query: RegionQuery?, at now: Instant) { inbound?.follow(query, at: now) }

    /// Ends the connection; the worker later sends the records in flight again.
    private func breakOff(at now: Instant) {
        transport.breakOff()
        inbound?.breakOff(at: now)
        advance(at: now)
        let outcomes = settlements.takeAll()
        if !outcomes.isEmpty { events.append(.settled(outcomes)) }
    }

    /// Does all work that is possible now without waiting.
    func turn(at now: Instant) {
        measureTraffic(at: now)
        guard !isResting else { return }
        // A server that rejected the user may accept the changed secret.
        if secrets?.takeChange() == true { events.append(.networkReturned) }
        advance(at: now)
        takeArrivals(at: now)
        if let due = timer, now >= due {
            timer = nil
            events.append(.timer)
        }
        for event in throttle.flush(at: now) { write(event) }
        guard !events.isEmpty else { return }
        for _ in 0..<Self.eventsPerTurn where !events.isEmpty {
            perform(delivery.handle(events.removeFirst(), at: now), isTurn: true, at: now)
        }
        // No socket wakes the thread for what has arrived meanwhile.
        takeArrivals(at: now)
    }

    /// Handles what the transport has received, and takes the collected outcomes if there are enough of them.
    private func takeArrivals(at now: Instant) {
        transport.takeNotices().forEach { report(.notice($0), at: now) }
        if let inbound {
            inbound.receive(transport.takeMessages(), at: now)
            transport.takeRefusals().forEach(inbound.note)
            for reason in inbound.poll(at: now) { report(.notice(reason), at: now) }
            if let event = inbound.takeReport(at: now) { report(event, at: now) }
        }
        let outcomes = settlements.take(inFlight: delivery.inFlight.count, at: now)
        if !outcomes.isEmpty { events.append(.settled(outcomes)) }
    }

    /// Takes the outcomes from the transport, and counts their verdicts.
    private func advance(at now: Instant) {
        let outcomes = transport.advance(at: now).map(countingOmitted)
        for outcome in outcomes { count(outcome.verdict) }
        settlements.add(outcomes, at: now)
    }

    /// When the next month begins, for a target that has used up the budget of this month.
    ///
    /// Nil for other targets, and while uploads to the target are suspended.
    private var monthEnd: Instant? {
        guard isOverBudget, !isSuspended, let month = budget?.month else { return nil }
        return clocks.now() + max(.seconds(1), month.end - clocks.utc())
    }

    /// Counts the traffic since the last call, and ends the connection when the target has used up its budget.
    ///
    /// When a new month begins, the worker continues. Without a budget, the function does not count.
    private func measureTraffic(at now: Instant) {
        guard budget != nil else { return }
        let bytes = meter.measure(transport.watches + (inbound?.watches ?? []))
        let month = CalendarMonth(clocks.utc())
        let wasOver = isOverBudget
        do {
            try storeTraffic(if: budget?.month != month)
            if budget?.month != month {
                budget?.begin(month, stored: try queue.traffic(of: target.name, in: "\(month)"))
            }
            budget?.add(bytes)
            try storeTraffic(if: budget?.isStoringDue == true)
        } catch {
            signal(.queueFailed(reason: "\(error)"))
        }
        guard isOverBudget != wasOver else { return }
        if isOverBudget { breakOff(at: now) } else { signal(.networkReturned) }
        let reason = budget.map { "the budget of \($0.limit) bytes for \(month) is used up" }
        report(.held(reason: isOverBudget ? reason : nil, needsOwner: isOverBudget), at: now)
    }

    private func storeTraffic(if isDue: Bool) throws {
        guard isDue, let month = budget?.month, let bytes = budget?.takeUnstored(), bytes > 0 else { return }
        try queue.addTraffic(bytes, of: target.name, in: "\(month)")
    }

    /// Stores the known deliveries, but starts no upload.
    func rest(at now: Instant) {
        measureTraffic(at: now)
        let outcomes = settlements.takeAll()
        if !outcomes.isEmpty { perform(delivery.handle(.settled(outcomes), at: now), isTurn: false, at: now) }
    }

    func close(at now: Instant) {
        rest(at: now)
        try? storeTraffic(if: true)
        inbound?.close()
        transport.close()
    }

    /// Carries out orders.
    ///
    /// In a turn, a transport that sends payloads one after the other continues after each order. Otherwise a fast server would have
    /// no request while the worker prepares the next window, which takes as long as ten requests.
    private func perform(_ effects: [Delivery.Effect], isTurn: Bool, at now: Instant) {
        var isQueueWorking = true
        var unsent: [BatchOutcome] = []
        for effect in effects {
            if case .report(let event) = effect {
                report(event, at: now)
            } else if isQueueWorking {
                do {
                    if let outcome = try perform(effect, at: now) { unsent.append(outcome) }
                    if isTurn, target.transport.kind == .http { advance(at: clocks.now()) }
                } catch {
                    isQueueWorking = false
                    signal(.queueFailed(reason: "\(error)"))
                }
            }
        }
        if !unsent.isEmpty { events.append(.settled(unsent)) }
    }

    /// Carries out one order; returns the outcome of a batch that the worker did not send.
    private func perform(_ effect: Delivery.Effect, at now: Instant) throws -> BatchOutcome? {
        switch effect {
        case .fetch(let limit, let excluding):
            try fetch(limit: limit, excluding: excluding, at: now)
            reportUnreadable(at: now)
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
            report(event, at: now)
        }
        return nil
    }

    private func fetch(limit: Int, excluding: [Int64], at now: Instant) throws {
        let filter = target.rules.filter
        let count = filter.admitsAll ? limit : max(limit, Self.filteredAtOnce)
        let oldest = try queue.oldest(awaiting: target.name, limit: count, excluding: excluding)
        let wanted = filter.admitsAll ? oldest : oldest.filter { filter.admits($0.record) }
        if let last = wanted.last?.sequence, last >= tail ?? .max { tail = nil }
        // This search comes before `markDelivered`, because the search stops at the first record that is marked as
        // delivered.
        let newest = try newest()
        if wanted.count < oldest.count {
            let admitted = Set(wanted.map(\.sequence))
            let others = oldest.map(\.sequence).filter { !admitted.contains($0) }
            if oldest.count < count, let last = others.last, last > wanted.last?.sequence ?? 0 {
                tail = tail ?? wanted.last.map { $0.sequence + 1 } ?? others.first
            }
            try queue.markDelivered(others, to: target.name)
            report(.delivered(count: others.count, withheld: others.count), at: now)
        }
        events.append(.found(newest: newest, oldest: Array(wanted.prefix(limit))))
        // Other records may follow those that the filter has removed.
        if wanted.isEmpty, !oldest.isEmpty { signal(.recordsCommitted) }
    }

    /// Returns the newest record that has a position and that the filter admits.
    ///
    /// Returns nil if there is no such record, if the target does not need it, or if the search ends before it finds
    /// the record.
    private func newest() throws -> StoredRecord? {
        for start in [.max, tail].compactMap({ $0 }) {
            var last = start
            // A filter for a rare tag could reject very many records, so the search ends after a limited number of them.
            for _ in 0..<Self.longestSearch {
                guard let newest = try queue.newest(awaiting: target.name, before: last) else { break }
                if target.rules.filter.admits(newest.record) {
                    if newest.sequence >= tail ?? .max { tail = nil }
                    return newest
                }
                last = newest.sequence
            }
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
        switch target.format.encode(carried, isNewest: batch.isNewest, for: target.sender, over: kind) {
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
        return BatchOutcome(id: outcome.id, verdict: outcome.verdict, withheld: count, wasSent: outcome.wasSent)
    }

    private func reportUnreadable(at now: Instant) {
        let sequences = queue.takeUnreadable()
        guard !sequences.isEmpty else { return }
        report(.unsendable(sequences: sequences, reason: "this version of trackerd cannot read it"), at: now)
    }

    private func report(_ event: UploadReport.Event, at now: Instant) {
        for event in throttle.take(event, at: now) { write(event) }
    }
}
