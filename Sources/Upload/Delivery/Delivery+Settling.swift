internal import Quantities

/// The outcomes of batches, and their consequences.
extension Delivery {
    mutating func settle(_ outcomes: [BatchOutcome], at now: Instant) -> [Effect] {
        var delivered: [Int64] = []
        var withheld = 0
        var effects: [Effect] = []
        for outcome in outcomes {
            guard let index = inFlight.firstIndex(where: { $0.id == outcome.id }) else { continue }
            let batch = inFlight.remove(at: index)
            switch outcome.verdict {
            case .delivered:
                delivered += batch.sequences
                effects += succeeded(batch, at: now)
            case .withheld:
                delivered += batch.sequences
                withheld += batch.records.count
            case .retry(let reason, let after):
                missed.noteFailure(of: batch)
                effects += failed(reason, after: after, at: now)
            case .refused(let reason):
                effects += refused(batch, reason, at: now)
            case .unwritable(let reason):
                effects += unwritable(batch, reason)
            case .unauthorised(let reason):
                missed.noteFailure(of: batch)
                pause.rejectUser(at: now)
                outageEnded()
                effects += faults.targetFailed(.unauthorised(reason: reason))
            }
        }
        if !delivered.isEmpty {
            effects.insert(.markDelivered(delivered), at: 0)
            effects.append(.report(.delivered(count: delivered.count, withheld: withheld)))
        }
        // Only the queue knows whether other records are left.
        if inFlight.isEmpty, !suspects.open.isEmpty { mayHaveMore = true }
        if inFlight.isEmpty, !mayHaveMore { gate.finish() }
        return effects + next(at: now)
    }

    private mutating func succeeded(_ batch: InFlightBatch, at now: Instant) -> [Effect] {
        let failures = max(pause.failures, suspectPause.failures)
        pause.succeed()
        suspectPause.succeed()
        suspectsDue = nil
        // Refused records are sent again, now that the target has accepted one.
        if !suspects.open.isEmpty { mayHaveMore = true }
        if batch.priority == .backlog { batchSize.delivered(in: now - batch.sent) }
        return faults.targetWorks(after: failures)
            + suspects.delivered(batch.sequences).flatMap { suspect -> [Effect] in
                let event = UploadReport.Event.setAside(sequence: suspect.sequence, reason: suspect.reason)
                return [.setAside(suspect.sequence, reason: suspect.reason), .report(event)]
            }
    }

    private mutating func refused(_ batch: InFlightBatch, _ reason: String, at now: Instant) -> [Effect] {
        mayHaveMore = true
        guard let suspect = culprit(of: batch) else { return [] }
        suspects.refused(suspect, reason: reason)
        guard suspects.showOutage else { return [] }
        missed.noteFailure(of: batch)
        pause.fail(after: nil, jitter: jitter.next(), at: now)
        outageEnded()
        return faults.targetFailed(.failing(reason: Self.refusesAll(reason)))
    }

    private mutating func unwritable(_ batch: InFlightBatch, _ reason: String) -> [Effect] {
        mayHaveMore = true
        guard let sequence = culprit(of: batch) else { return [] }
        return [.setAside(sequence, reason: reason), .report(.unsendable(sequences: [sequence], reason: reason))]
    }

    /// The record at fault, if it is alone in its batch; otherwise halves the next batch and returns nil.
    private mutating func culprit(of batch: InFlightBatch) -> Int64? {
        guard batch.records.count == 1 else {
            batchSize.refused(batch.records.count)
            return nil
        }
        batchSize.culpritFound()
        return batch.sequences.first
    }

    /// All records that wait were refused: sends them again after the pause of the outage, or after a pause of their own,
    /// which does not delay a new record.
    mutating func onlySuspectsLeft(at now: Instant) -> [Effect] {
        let reason = Self.refusesAll(suspects.lastReason)
        if suspects.showOutage {
            retrySuspects()
        } else if suspectsDue == nil {
            suspectPause.fail(after: nil, jitter: jitter.next(), at: now)
            suspectsDue = suspectPause.end(after: now)
        }
        return faults.targetFailed(.failing(reason: reason))
    }

    mutating func retrySuspects() {
        suspectsDue = nil
        suspects.reopen()
        mayHaveMore = true
    }

    private static func refusesAll(_ reason: String) -> String { "the server refuses all records (\(reason))" }

    private mutating func failed(_ reason: String, after: Duration?, at now: Instant) -> [Effect] {
        batchSize.failed()
        pause.fail(after: after, jitter: jitter.next(), at: now)
        outageEnded()
        return faults.targetFailed(.failing(reason: reason))
    }

    /// Lets the newest record overtake a backlog from the next attempt on, which does not wait for the interval.
    mutating func outageEnded() {
        mayHaveMore = true
        live.outageEnded()
        gate.reset()
    }
}
