package import Quantities
package import Tracking
package import TrackingOptions

/// Decides what goes to one target, and when: pure, without a clock and without a queue.
///
/// *Backlog lane*: the oldest records go first, in order, in batches. *Live lane*: after an outage that has left a backlog
/// the newest record overtakes it, at most every 5 s, until the backlog is delivered. A failure of any kind pauses both.
/// A record that is refused waits until it is clear whether it or the target is at fault (`Suspects`).
/// The records themselves stay in the queue: the machine asks for them with `fetch`, gets them with `found`, and
/// knows only those that are on their way.
package struct Delivery: Sendable {
    /// What can be chosen for a target.
    package struct Policy: Sendable, Hashable {
        package var order: UploadTarget.Order
        package var replay: ReplayRule
        package var syncInterval: Duration
        /// The most records in a shipment.
        package var batch: Int
        /// The most shipments on their way at a time.
        package var window: Int

        /// Makes a policy.
        package init(
            order: UploadTarget.Order, replay: ReplayRule = .all, syncInterval: Duration = .zero, batch: Int,
            window: Int
        ) {
            self.order = order
            self.replay = replay
            self.syncInterval = syncInterval
            self.batch = batch
            self.window = window
        }
    }

    /// What happens to it.
    package enum Event: Sendable, Hashable {
        /// The queue may have new records; comes at the start, too.
        case recordsCommitted
        /// The network has come back, or somebody asks for an attempt now.
        case networkReturned
        /// The answer to `fetch`: the newest record if it awaits the target, and the oldest ones that do.
        case found(newest: StoredRecord?, oldest: [StoredRecord])
        /// `markDelivered` was carried out.
        case marked
        /// `passOver` was carried out.
        case passedOver(count: Int)
        /// An order to the queue was not carried out.
        case queueFailed(reason: String)
        /// This became of shipments.
        case settled([ShipmentOutcome])
        /// The time of `arm` has come.
        case timer
    }

    /// What it orders.
    package enum Effect: Sendable, Hashable {
        case fetch(limit: Int, excluding: [Int64])
        case send(Shipment)
        case markDelivered([Int64])
        case setAside(Int64, reason: String)
        case passOver(through: Int64, keepingStops: Bool)
        /// Replaces the time of an earlier order.
        case arm(at: Instant)
        case report(UploadReport.News)
    }

    let policy: Policy
    /// On their way, in the order in which they were sent.
    var inFlight: [Shipment] = []
    /// After failures of the target.
    var pause = RetryPause()
    /// After failures of the queue.
    var queuePause = RetryPause()
    var batch: BatchSize
    var gate: SyncGate
    var live = LiveLane()
    var jitter: Jitter
    var complaints = Complaints()
    /// Whether the queue may hold records that are not on their way.
    var mayHaveMore = false
    var missed: MissedRecords
    /// Records that the target has refused, and may yet take.
    var suspects = Suspects()
    /// After refusals of all that waits.
    var suspectPause = RetryPause()
    /// When suspects are tried again though the target has taken nothing in the meantime; nil when that is not needed.
    var suspectsDue: Instant?
    private var nextID = 1
    private var isFetching = false

    /// Makes the machine for a target that nothing is known about yet.
    package init(policy: Policy, jitter: Jitter) {
        self.policy = policy
        self.jitter = jitter
        batch = BatchSize(maximum: policy.batch)
        missed = MissedRecords(rule: policy.replay)
        gate = SyncGate(interval: policy.syncInterval)
    }

    /// Takes an event; gives orders, to be carried out in their order.
    ///
    /// When an order to the queue is not carried out, those after it are dropped but for reports, and `queueFailed` comes.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .recordsCommitted:
            mayHaveMore = true
            return next(at: now)
        case .networkReturned:
            pause.hope()
            suspectPause.hope()
            retrySuspects()
            outageEnded()
            return next(at: now)
        case .timer:
            return next(at: now)
        case .found(let newest, let oldest):
            isFetching = false
            return dispatch(newest: newest, oldest: oldest, at: now)
        case .queueFailed(let reason):
            isFetching = false
            mayHaveMore = true
            queuePause.fail(after: nil, jitter: jitter.next(), at: now)
            return complaints.queue(reason) + next(at: now)
        case .marked:
            queuePause.succeed()
            complaints.queueWorks()
            return []
        case .passedOver(let count):
            missed.passedOver()
            return count == 0 ? [] : [.report(.passedOver(count: count))]
        case .settled(let outcomes):
            return settle(outcomes, at: now)
        }
    }
}

// MARK: - What goes next

extension Delivery {
    mutating func next(at now: Instant) -> [Effect] {
        if let suspectsDue, suspectsDue <= now { retrySuspects() }
        guard !isFetching else { return [] }
        guard mayHaveMore else { return suspectsDue.map { [.arm(at: $0)] } ?? [] }
        if let until = [pause, queuePause].compactMap({ $0.end(after: now) }).max() { return [.arm(at: until)] }
        if let opening = gate.opens(after: now) { return [.arm(at: opening)] }
        // Half of the window has to be free, so that the queue is asked once for many records.
        guard inFlight.count <= window / 2 else { return [] }
        isFetching = true
        let limit = (window - inFlight.count) * batch.current
        return [.fetch(limit: limit, excluding: inFlight.flatMap(\.sequences) + suspects.open)]
    }

    /// One at a time after a failure, until something has got through.
    private var window: Int { pause.failures > 0 ? 1 : policy.window }

    private mutating func dispatch(newest: StoredRecord?, oldest: [StoredRecord], at now: Instant) -> [Effect] {
        // A record without a place may be newer than the newest place.
        let last = newest.map { max($0.sequence, oldest.last?.sequence ?? 0) }
        if newest != nil || !oldest.isEmpty { gate.enter(newest: last, at: now) }
        if pause.failures > 0 { missed.notePause(before: newest?.sequence) }
        let wanted = oldest.filter { !missed.contains($0) }
        var waiting = wanted.filter { gate.admits($0.sequence) }
        let isAnyLeftOut = waiting.count < wanted.count
        var effects: [Effect] = []
        if let newest, policy.order == .liveFirst, gate.admits(newest.sequence), !isOnItsWay(newest),
            !suspects.isOpen(newest.sequence), live.overtakes(newest, oldest: oldest.first, at: now)
        {
            live.leaves(at: now)
            waiting.removeAll { $0.sequence == newest.sequence }
            effects.append(ship([newest], .live, isNewest: true, at: now))
        }
        while !waiting.isEmpty, inFlight.count < window {
            let part = nextBatch(of: waiting)
            waiting.removeFirst(part.count)
            let isNewest = newest != nil && part.last?.sequence == newest?.sequence
            effects.append(ship(part, .backlog, isNewest: isNewest, at: now))
        }
        if wanted.count < oldest.count {
            effects.append(.passOver(through: missed.through, keepingStops: policy.replay == .stops))
            return inFlight.isEmpty ? effects + next(at: now) : effects
        }
        guard effects.isEmpty else { return effects }
        // Nothing left to send but what is on its way, belongs to the next round, or was refused.
        mayHaveMore = isAnyLeftOut || !waiting.isEmpty
        guard inFlight.isEmpty else { return [] }
        live.caughtUp()
        gate.finish()
        return (suspects.open.isEmpty ? [] : onlySuspectsLeft(at: now)) + next(at: now)
    }

    /// A suspect goes by itself: so its refusal says nothing of others.
    private func nextBatch(of waiting: [StoredRecord]) -> [StoredRecord] {
        let isSuspect = waiting.first.map { suspects.contains($0.sequence) } ?? false
        guard !isSuspect else { return Array(waiting.prefix(1)) }
        return Array(waiting.prefix(batch.current).prefix { !suspects.contains($0.sequence) })
    }

    private func isOnItsWay(_ record: StoredRecord) -> Bool {
        inFlight.contains { $0.sequences.contains(record.sequence) }
    }

    private mutating func ship(
        _ records: [StoredRecord], _ lane: Shipment.Lane, isNewest: Bool, at now: Instant
    ) -> Effect {
        let shipment = Shipment(id: nextID, lane: lane, records: records, isNewest: isNewest, sent: now)
        nextID += 1
        inFlight.append(shipment)
        return .send(shipment)
    }
}
