internal import Formats
package import Quantities
internal import Tracking
internal import TrackingOptions

/// Decides which records one target receives, and when, without a clock or a queue: it requests records with the effect `fetch`,
/// receives them with the event `found`, and keeps only those in flight.
///
/// Normally the oldest records go first, in order, in batches. With the order `liveFirst`, the newest record overtakes a backlog
/// after an outage or after the start, at most once in 5 s, until the backlog spans no more than a minute. After a failure of the
/// target, nothing is sent until a pause is over. `Suspects` finds out whether a record or the target is at fault.
package struct Delivery: Sendable {
    private let policy: Policy
    private var flight = Flight()
    private var pause = RetryPause()
    private var queuePause = RetryPause()
    private var batchSize: BatchSize
    private var gate: SyncGate
    private var live = LivePriority()
    private var missed: MissedRecords
    private var jitter: Jitter
    private var faults = FaultLog()
    private var suspects = Suspects()
    private var suspectPause = SuspectPause()
    private var unmarked = UnmarkedRecords()
    /// True if the queue may contain records to fetch.
    private var mayHaveMore = false
    private var isFetching = false

    package init(policy: Policy, jitter: Jitter) {
        self.policy = policy
        self.jitter = jitter
        batchSize = BatchSize(maximum: policy.batch)
        missed = MissedRecords(rule: policy.replay)
        gate = SyncGate(interval: policy.syncInterval)
    }

    package var inFlight: Int { flight.count }

    /// True if nothing is in flight, and the queue has nothing for the target except suspects that wait.
    package var isIdle: Bool { flight.isEmpty && !mayHaveMore && !isFetching }

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
            missed.rule = rules.replay
            gate.interval = rules.syncInterval
            return next(at: now)
        case .found(let newest, let oldest):
            isFetching = false
            return dispatch(newest: newest, oldest: oldest, at: now)
        case .queueFailed(let reason):
            isFetching = false
            mayHaveMore = true
            unmarked.queueFailed()
            queuePause.fail(after: nil, jitter: jitter.next(), at: now)
            return faults.queueFailed(reason).map(Effect.report) + next(at: now)
        case .marked:
            let wasDue = unmarked.isDue
            unmarked = UnmarkedRecords()
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
        if let due = suspectPause.due, due <= now { retrySuspects() }
        guard !isFetching else { return [] }
        guard mayHaveMore else { return suspectPause.due.map { [.arm(at: $0)] } ?? [] }
        if let until = [pause, queuePause].compactMap({ $0.end(after: now) }).max() { return [.arm(at: until)] }
        if let opening = gate.opens(after: now) { return [.arm(at: opening)] }
        // If trackerd can read the queue but not write to it, the target receives further records, but no record twice.
        let marking: [Effect] = unmarked.isDue ? [.markDelivered(unmarked.sequences)] : []
        guard !unmarked.isFull else { return marking }
        // At least half of the window must be free. Otherwise each query would fetch only a few records.
        guard flight.count <= window / 2 else { return marking }
        isFetching = true
        let limit = (window - flight.count) * batchSize.current
        let excluded = flight.sequences + suspects.excluded + (unmarked.isDue ? unmarked.sequences : [])
        return [.fetch(limit: limit, excluding: excluded)] + marking
    }

    /// The number of batches that may be in flight. After a failure it is one, until a batch is delivered. It is also
    /// one for a suspect, so that its failure concerns no other record.
    private var window: Int {
        let isTest = flight.only.map { suspects.contains($0) } ?? false
        return pause.failures > 0 || isTest ? 1 : policy.window
    }

    private mutating func dispatch(newest: StoredRecord?, oldest: [StoredRecord], at now: Instant) -> [Effect] {
        let newest = newest.flatMap { unmarked.isDue && unmarked.sequences.contains($0.sequence) ? nil : $0 }
        // A record without a position may be newer than the newest record with a position.
        let last = newest.map { max($0.sequence, oldest.last?.sequence ?? 0) }
        if newest != nil || !oldest.isEmpty { gate.enter(newest: last, at: now) }
        if pause.failures > 0 { missed.notePause(before: newest?.sequence) }
        let wanted = oldest.filter { !missed.contains($0) }
        var waiting = wanted.filter { gate.admits($0.sequence) }
        let isAnyLeftOut = waiting.count < wanted.count
        var effects: [Effect] = []
        if let newest, policy.order == .liveFirst, gate.admits(newest.sequence), !flight.contains(newest.sequence),
            maySend(newest),
            suspects.needsDistantRecord || live.overtakes(newest, oldest: oldest.first, at: now)
        {
            live.sent(at: now)
            waiting.removeAll { $0.sequence == newest.sequence }
            effects.append(.send(flight.begin([newest], .live, isNewest: true, at: now)))
        }
        while let first = waiting.first, flight.count < window, maySend(first) {
            let part = nextBatch(of: waiting)
            waiting.removeFirst(part.count)
            let isNewest = newest != nil && part.last?.sequence == newest?.sequence
            let isOvertaken = newest.map { $0.sequence > (part.last?.sequence ?? .max) } ?? false
            effects.append(.send(flight.begin(part, .backlog, isNewest: isNewest, isOvertaken: isOvertaken, at: now)))
        }
        if wanted.count < oldest.count {
            effects.append(.passOver(through: missed.through, keepingStops: missed.rule == .stops))
            return flight.isEmpty ? effects + next(at: now) : effects
        }
        guard effects.isEmpty else { return effects }
        // Each remaining record is in flight, belongs to the next round, is a suspect, or waits for room in the window.
        mayHaveMore = isAnyLeftOut || !waiting.isEmpty
        guard flight.isEmpty else { return [] }
        if suspects.releaseLast() {
            mayHaveMore = true
            return next(at: now)
        }
        live.caughtUp()
        gate.finish()
        return (suspects.hasOpen ? onlySuspectsLeft(at: now) : []) + next(at: now)
    }

    private func maySend(_ record: StoredRecord) -> Bool {
        !suspects.isExcluded(record.sequence) && (flight.isEmpty || !suspects.contains(record.sequence))
    }

    /// A suspect gets a batch of its own.
    private func nextBatch(of waiting: [StoredRecord]) -> [StoredRecord] {
        let isSuspect = waiting.first.map { suspects.contains($0.sequence) } ?? false
        guard !isSuspect else { return Array(waiting.prefix(1)) }
        return Array(waiting.prefix(batchSize.current).prefix { !suspects.contains($0.sequence) })
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
            guard let batch = flight.end(outcome.id) else { continue }
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
                // If a connection broke, the first of the batches in flight on it is the suspect.
                let isSuspect = outcome.wasSent && !isAnySuspect
                isAnySuspect = isAnySuspect || isSuspect
                hasFailed = true
                effects += failed(batch, outcome.verdict, reason, isSuspect: isSuspect, at: now)
            }
        }
        if hasFailed, !isAnySuspect { suspects.reopen() }
        if !delivered.isEmpty {
            unmarked.add(delivered)
            effects.insert(.markDelivered(unmarked.sequences), at: 0)
            effects.append(.report(.delivered(count: delivered.count, withheld: withheld)))
        }
        // `Delivery` does not know whether the queue contains other records, so it must ask the queue.
        if flight.isEmpty, suspects.isHolding { mayHaveMore = true }
        if flight.isEmpty, !mayHaveMore { gate.finish() }
        return effects + next(at: now)
    }

    private mutating func succeeded(_ batch: InFlightBatch, at now: Instant) -> [Effect] {
        let failures = max(pause.failures, suspectPause.failures)
        pause.succeed()
        suspectPause = SuspectPause()
        // The target has accepted a record, so send the suspects again.
        if suspects.hasOpen { mayHaveMore = true }
        if batch.priority == .backlog { batchSize.delivered(in: now - batch.sent) }
        batchSize.accepted(batch.sequences)
        return faults.targetWorks(after: failures).map(Effect.report)
            + suspects.delivered(batch.sequences).flatMap { suspect -> [Effect] in
                let event = UploadReport.Event.setAside(sequence: suspect.sequence, reason: suspect.reason)
                return [.setAside(suspect.sequence, reason: suspect.reason), .report(event)]
            }
    }

    private mutating func refused(_ batch: InFlightBatch, _ reason: String, at now: Instant) -> [Effect] {
        mayHaveMore = true
        guard let suspect = batchSize.culprit(of: batch.sequences) else { return [] }
        let isLikely = suspects.isLikely(suspect)
        suspects.failed(suspect, reason: reason, isRefused: true, next: isLikely ? .sameRecord : .otherRecord)
        guard suspects.showOutage else { return [] }
        missed.noteFailure(of: batch)
        pause.fail(after: nil, jitter: jitter.next(), at: now)
        outageEnded()
        return targetFailed(.failing(reason: Self.refusesAll(reason)))
    }

    /// For failures other than refusals. A pause begins, unless the record is likely to be at fault and the target asks for no
    /// pause.
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
            return targetFailed(.unauthorised(reason: reason))
        default: pause.fail(after: verdict.requestedPause, jitter: jitter.next(), at: now)
        }
        return targetFailed(.failing(reason: reason))
    }

    private mutating func suspect(_ batch: InFlightBatch, _ verdict: Verdict, _ reason: String, isLikely: Bool) {
        let isSlow = if case .timedOut = verdict { true } else { false }
        let isUser = if case .unauthorised = verdict { true } else { false }
        guard let sequence = batchSize.culprit(of: batch.sequences) else {
            if isSlow || isUser { suspects.postpone(batch.sequences) }
            return
        }
        suspects.failed(
            sequence, reason: reason, isRefused: false,
            next: isSlow ? .allOthers : isUser && !isLikely ? .otherRecord : .sameRecord)
    }

    private mutating func unwritable(_ batch: InFlightBatch, _ reason: String) -> [Effect] {
        mayHaveMore = true
        guard let sequence = batchSize.culprit(of: batch.sequences) else { return [] }
        return [.setAside(sequence, reason: reason), .report(.unsendable(sequences: [sequence], reason: reason))]
    }

    /// If nothing is accepted, suspects wait for the pause after failures. Otherwise they wait for a pause that delays
    /// no new record.
    private mutating func onlySuspectsLeft(at now: Instant) -> [Effect] {
        if pause.failures > 0 {
            retrySuspects()
        } else if suspectPause.due == nil {
            suspectPause.begin(jitter: jitter.next(), at: now)
        }
        guard pause.failures == 0, let (reason, isRefused) = suspects.lastOpen else { return [] }
        return targetFailed(.failing(reason: isRefused ? Self.refusesAll(reason) : reason))
    }

    private mutating func retrySuspects() {
        suspectPause.end()
        suspects.reopen()
        mayHaveMore = true
    }

    private mutating func targetFailed(_ event: UploadReport.Event) -> [Effect] {
        faults.targetFailed(event).map(Effect.report)
    }

    private static func refusesAll(_ reason: String) -> String { "the server refuses all records (\(reason))" }

    /// The next attempt does not wait for `syncInterval`. With `liveFirst`, the newest record overtakes the backlog
    /// from then on.
    private mutating func outageEnded() {
        mayHaveMore = true
        live.outageEnded()
        gate.reset()
    }
}
