internal import Formats
package import Quantities
internal import Tracking
internal import TrackingOptions

/// Decides which records one target receives, and when.
///
/// The type is pure: it uses no clock and no queue.
///
/// Normally the target receives the oldest records first, in order, in batches. If the order is `liveFirst`, the newest record
/// overtakes a backlog after an outage or after the start, at most once in 5 s, until the backlog is delivered. After any
/// failure, trackerd sends no record until a pause is over, not even the newest record. `Suspects` finds out whether a record
/// or the target is at fault. All records remain in the queue. `Delivery` requests records
/// with `fetch`, receives them with `found`, and stores only the records in flight.
package struct Delivery: Sendable {
    private var policy: Policy
    /// The batches in flight, in the order in which they were sent.
    package private(set) var inFlight: [InFlightBatch] = []
    /// The pause after failures of the target.
    private var pause = RetryPause()
    /// The pause after failures of the queue.
    private var queuePause = RetryPause()
    private var batchSize: BatchSize
    private var gate: SyncGate
    private var live = LivePriority()
    private var jitter: Jitter
    private var faults = FaultLog()
    /// Whether the queue may contain records that are not in flight.
    private var mayHaveMore = false
    private var missed: MissedRecords
    /// Records that the target did not accept, but may yet accept.
    private var suspects = Suspects()
    /// The pause after the target has refused all waiting records.
    private var suspectPause = RetryPause()
    /// When to send suspects again although the target has accepted no record since their refusal; nil if no such attempt is due.
    private var suspectsDue: Instant?
    /// The records of the last batch of several records that failed, except those that the target has accepted since.
    private var inDoubt: Set<Int64> = []
    /// Delivered records that the queue has not marked yet.
    private var unmarked: [Int64] = []
    /// Whether the queue failed to mark records as delivered; the numbers of these records wait in `unmarked`.
    private var isMarkingDue = false
    private var nextID = 1
    private var isFetching = false

    /// Whether no batch is in flight and the queue has no further records that the target may receive now.
    package var isIdle: Bool { inFlight.isEmpty && !mayHaveMore && !isFetching }

    /// Makes the `Delivery` for a target in an unknown state.
    package init(policy: Policy, jitter: Jitter) {
        self.policy = policy
        self.jitter = jitter
        batchSize = BatchSize(maximum: policy.batch)
        missed = MissedRecords(rule: policy.replay)
        gate = SyncGate(interval: policy.syncInterval)
    }

    /// Handles an event and returns orders, which the caller carries out in sequence.
    ///
    /// If the queue fails to carry out an order, the caller drops the later orders, but not the reports, and sends `queueFailed`.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .recordsCommitted:
            mayHaveMore = true
            pause.recordsCommitted(at: now)
            return next(at: now)
        case .networkReturned:
            pause.retryNow(at: now)
            queuePause.retryNow(at: now)
            suspectPause.retryNow(at: now)
            retrySuspects()
            outageEnded()
            return next(at: now)
        case .networkLost:
            pause.networkLost(at: now)
            return next(at: now)
        case .timer:
            return next(at: now)
        case .rules(let rules):
            (policy.replay, policy.syncInterval) = (rules.replay, rules.syncInterval)
            missed.rule = rules.replay
            gate.interval = rules.syncInterval
            return next(at: now)
        case .found(let newest, let oldest):
            isFetching = false
            return dispatch(newest: newest, oldest: oldest, at: now)
        case .queueFailed(let reason):
            isFetching = false
            mayHaveMore = true
            isMarkingDue = !unmarked.isEmpty
            queuePause.fail(after: nil, jitter: jitter.next(), at: now)
            return faults.queueFailed(reason).map(Effect.report) + next(at: now)
        case .marked:
            let wasDue = isMarkingDue
            (unmarked, isMarkingDue) = ([], false)
            queuePause.succeed()
            faults.queueWorks()
            return wasDue ? next(at: now) : []
        case .passedOver(let count):
            missed.passedOver()
            return count == 0 ? [] : [.report(.passedOver(count: count))]
        case .settled(let outcomes):
            return settle(outcomes, at: now)
        }
    }
}

// MARK: - The next records to send

extension Delivery {
    private mutating func next(at now: Instant) -> [Effect] {
        if let suspectsDue, suspectsDue <= now { retrySuspects() }
        guard !isFetching else { return [] }
        guard mayHaveMore else { return suspectsDue.map { [.arm(at: $0)] } ?? [] }
        if let until = [pause, queuePause].compactMap({ $0.end(after: now) }).max() { return [.arm(at: until)] }
        if let opening = gate.opens(after: now) { return [.arm(at: opening)] }
        // If trackerd can read the queue but not write to it, the target receives further records, but no record twice.
        let marking: [Effect] = isMarkingDue ? [.markDelivered(unmarked)] : []
        guard unmarked.count < Self.mostUnmarked else { return marking }
        // At least half of the window must be free. Otherwise each query would fetch only a few records.
        guard inFlight.count <= window / 2 else { return marking }
        isFetching = true
        let limit = (window - inFlight.count) * batchSize.current
        let excluded = inFlight.flatMap(\.sequences) + suspects.excluded + (isMarkingDue ? unmarked : [])
        return [.fetch(limit: limit, excluding: excluded)] + marking
    }

    /// The limit for delivered records that the queue has not marked as delivered.
    ///
    /// At this limit, the target receives no further records.
    private static let mostUnmarked = 10_000

    /// After a failure, the window is one batch until a batch is delivered.
    ///
    /// A suspect is alone in flight, because its failure must concern no other record.
    private var window: Int {
        let isTest = inFlight.count == 1 && suspects.contains(inFlight[0].sequences[0])
        return pause.failures > 0 || isTest ? 1 : policy.window
    }

    private mutating func dispatch(newest: StoredRecord?, oldest: [StoredRecord], at now: Instant) -> [Effect] {
        let newest = newest.flatMap { isMarkingDue && unmarked.contains($0.sequence) ? nil : $0 }
        // A record without a position may be newer than the newest record with a position.
        let last = newest.map { max($0.sequence, oldest.last?.sequence ?? 0) }
        if newest != nil || !oldest.isEmpty { gate.enter(newest: last, at: now) }
        if pause.failures > 0 { missed.notePause(before: newest?.sequence) }
        let wanted = oldest.filter { !missed.contains($0) }
        var waiting = wanted.filter { gate.admits($0.sequence) }
        let isAnyLeftOut = waiting.count < wanted.count
        var effects: [Effect] = []
        if let newest, policy.order == .liveFirst, gate.admits(newest.sequence), !isInFlight(newest), maySend(newest),
            suspects.needsDistantRecord || live.overtakes(newest, oldest: oldest.first, at: now)
        {
            live.sent(at: now)
            waiting.removeAll { $0.sequence == newest.sequence }
            effects.append(send([newest], .live, isNewest: true, at: now))
        }
        while let first = waiting.first, inFlight.count < window, maySend(first) {
            let part = nextBatch(of: waiting)
            waiting.removeFirst(part.count)
            let isNewest = newest != nil && part.last?.sequence == newest?.sequence
            let isOvertaken = newest.map { $0.sequence > (part.last?.sequence ?? .max) } ?? false
            effects.append(send(part, .backlog, isNewest: isNewest, isOvertaken: isOvertaken, at: now))
        }
        if wanted.count < oldest.count {
            effects.append(.passOver(through: missed.through, keepingStops: policy.replay == .stops))
            return inFlight.isEmpty ? effects + next(at: now) : effects
        }
        guard effects.isEmpty else { return effects }
        // Each remaining record is in flight, belongs to the next round, is a suspect, or waits for room in the window.
        mayHaveMore = isAnyLeftOut || !waiting.isEmpty
        guard inFlight.isEmpty else { return [] }
        if suspects.releaseLast() {
            mayHaveMore = true
            return next(at: now)
        }
        live.caughtUp()
        gate.finish()
        return (suspects.hasOpen ? onlySuspectsLeft(at: now) : []) + next(at: now)
    }

    private func maySend(_ record: StoredRecord) -> Bool {
        !suspects.isExcluded(record.sequence) && (inFlight.isEmpty || !suspects.contains(record.sequence))
    }

    /// Returns the next batch; a suspect has its own batch, because its failure must concern no other record.
    private func nextBatch(of waiting: [StoredRecord]) -> [StoredRecord] {
        let isSuspect = waiting.first.map { suspects.contains($0.sequence) } ?? false
        guard !isSuspect else { return Array(waiting.prefix(1)) }
        return Array(waiting.prefix(batchSize.current).prefix { !suspects.contains($0.sequence) })
    }

    private func isInFlight(_ record: StoredRecord) -> Bool {
        inFlight.contains { $0.sequences.contains(record.sequence) }
    }

    private mutating func send(
        _ records: [StoredRecord], _ priority: InFlightBatch.Priority, isNewest: Bool, isOvertaken: Bool = false,
        at now: Instant
    ) -> Effect {
        var batch = InFlightBatch(id: nextID, priority: priority, records: records, isNewest: isNewest, sent: now)
        batch.isOvertaken = isOvertaken
        nextID += 1
        inFlight.append(batch)
        return .send(batch)
    }
}

// MARK: - The outcomes of batches

extension Delivery {
    private mutating func settle(_ outcomes: [BatchOutcome], at now: Instant) -> [Effect] {
        var delivered: [Int64] = []
        var withheld = 0
        var effects: [Effect] = []
        var (hasFailed, isAnySuspect) = (false, false)
        for outcome in outcomes {
            guard let index = inFlight.firstIndex(where: { $0.id == outcome.id }) else { continue }
            let batch = inFlight.remove(at: index)
            switch outcome.verdict {
            case .delivered:
                delivered += batch.sequences
                withheld += outcome.withheld
                effects += succeeded(batch, at: now)
            case .withheld:
                delivered += batch.sequences
                withheld += batch.records.count
                if batch.priority == .backlog { batchSize.delivered(in: now - batch.sent) }
            case .postponed:
                missed.noteFailure(of: batch)
                outageEnded()
            case .refused(let reason):
                effects += refused(batch, reason, at: now)
            case .unwritable(let reason):
                effects += unwritable(batch, reason)
            case .linkFailed(let reason), .timedOut(let reason), .retry(let reason, _), .unauthorised(let reason):
                // Of the batches in flight on a connection that broke, the first is the suspect.
                let isSuspect = outcome.wasSent && !isAnySuspect
                isAnySuspect = isAnySuspect || isSuspect
                hasFailed = true
                effects += failed(batch, outcome.verdict, reason, isSuspect: isSuspect, at: now)
            }
        }
        if hasFailed, !isAnySuspect { suspects.reopen() }
        if !delivered.isEmpty {
            unmarked += delivered
            effects.insert(.markDelivered(unmarked), at: 0)
            effects.append(.report(.delivered(count: delivered.count, withheld: withheld)))
        }
        // `Delivery` does not know whether the queue contains other records, so it must ask the queue.
        if inFlight.isEmpty, suspects.isHolding { mayHaveMore = true }
        if inFlight.isEmpty, !mayHaveMore { gate.finish() }
        return effects + next(at: now)
    }

    private mutating func succeeded(_ batch: InFlightBatch, at now: Instant) -> [Effect] {
        let failures = max(pause.failures, suspectPause.failures)
        pause.succeed()
        suspectPause.succeed()
        suspectsDue = nil
        // The target has accepted a record, so send the suspects again.
        if suspects.hasOpen { mayHaveMore = true }
        if batch.priority == .backlog { batchSize.delivered(in: now - batch.sent) }
        if !inDoubt.isEmpty {
            inDoubt.subtract(batch.sequences)
            if inDoubt.isEmpty { batchSize.culpritFound() }
        }
        return faults.targetWorks(after: failures).map(Effect.report)
            + suspects.delivered(batch.sequences).flatMap { suspect -> [Effect] in
                let event = UploadReport.Event.setAside(sequence: suspect.sequence, reason: suspect.reason)
                return [.setAside(suspect.sequence, reason: suspect.reason), .report(event)]
            }
    }

    private mutating func refused(_ batch: InFlightBatch, _ reason: String, at now: Instant) -> [Effect] {
        mayHaveMore = true
        guard let suspect = culprit(of: batch) else { return [] }
        let isLikely = suspects.isLikely(suspect)
        suspects.failed(suspect, reason: reason, isRefused: true, next: isLikely ? .sameRecord : .otherRecord)
        guard suspects.showOutage else { return [] }
        missed.noteFailure(of: batch)
        pause.fail(after: nil, jitter: jitter.next(), at: now)
        outageEnded()
        return faults.targetFailed(.failing(reason: Self.refusesAll(reason))).map(Effect.report)
    }

    /// Handles a failure that is no refusal; begins a pause, unless the record alone is likely to be at fault.
    private mutating func failed(
        _ batch: InFlightBatch, _ verdict: Verdict, _ reason: String, isSuspect: Bool, at now: Instant
    ) -> [Effect] {
        let isLikely = isSuspect && suspects.isLikely(batch.sequences[0])
        if isSuspect { suspect(batch, verdict, reason, isLikely: isLikely) } else { batchSize.failed() }
        mayHaveMore = true
        if isLikely, verdict.requestedPause == nil { return [] }
        missed.noteFailure(of: batch)
        outageEnded()
        switch verdict {
        case .linkFailed, .timedOut: pause.linkFailed(jitter: jitter.next(), at: now)
        case .unauthorised:
            pause.rejectUser(at: now)
            return faults.targetFailed(.unauthorised(reason: reason)).map(Effect.report)
        default: pause.fail(after: verdict.requestedPause, jitter: jitter.next(), at: now)
        }
        return faults.targetFailed(.failing(reason: reason)).map(Effect.report)
    }

    private mutating func suspect(_ batch: InFlightBatch, _ verdict: Verdict, _ reason: String, isLikely: Bool) {
        let isSlow = if case .timedOut = verdict { true } else { false }
        let isUser = if case .unauthorised = verdict { true } else { false }
        guard let sequence = culprit(of: batch) else {
            if isSlow || isUser { suspects.postpone(batch.sequences) }
            return
        }
        suspects.failed(
            sequence, reason: reason, isRefused: false,
            next: isSlow ? .allOthers : isUser && !isLikely ? .otherRecord : .sameRecord)
    }

    private mutating func unwritable(_ batch: InFlightBatch, _ reason: String) -> [Effect] {
        mayHaveMore = true
        guard let sequence = culprit(of: batch) else { return [] }
        return [.setAside(sequence, reason: reason), .report(.unsendable(sequences: [sequence], reason: reason))]
    }

    /// Returns the record at fault if its batch contains only that record; otherwise halves the next batch and returns nil.
    private mutating func culprit(of batch: InFlightBatch) -> Int64? {
        guard batch.records.count == 1 else {
            batchSize.refused(batch.records.count)
            inDoubt = Set(batch.sequences)
            return nil
        }
        batchSize.culpritFound()
        inDoubt = []
        return batch.sequences.first
    }

    /// Handles the failure of all waiting records.
    ///
    /// If the target accepts nothing, `Delivery` sends the records again after the pause for failures. Otherwise it sends them
    /// again after a separate pause, which does not delay a new record.
    private mutating func onlySuspectsLeft(at now: Instant) -> [Effect] {
        if pause.failures > 0 {
            retrySuspects()
        } else if suspectsDue == nil {
            suspectPause.fail(after: nil, jitter: jitter.next(), at: now)
            suspectsDue = suspectPause.end(after: now)
        }
        guard pause.failures == 0, let (reason, isRefused) = suspects.lastOpen else { return [] }
        return faults.targetFailed(.failing(reason: isRefused ? Self.refusesAll(reason) : reason)).map(Effect.report)
    }

    private mutating func retrySuspects() {
        suspectsDue = nil
        suspects.reopen()
        mayHaveMore = true
    }

    private static func refusesAll(_ reason: String) -> String { "the server refuses all records (\(reason))" }

    /// Lets the newest record overtake a backlog from the next attempt on; that attempt does not wait for `syncInterval`.
    private mutating func outageEnded() {
        mayHaveMore = true
        live.outageEnded()
        gate.reset()
    }
}
