internal import Quantities

/// What became of shipments, and what follows from it.
extension Delivery {
    mutating func settle(_ outcomes: [ShipmentOutcome], at now: Instant) -> [Effect] {
        var delivered: [Int64] = []
        var withheld = 0
        var effects: [Effect] = []
        for outcome in outcomes {
            guard let index = inFlight.firstIndex(where: { $0.id == outcome.id }) else { continue }
            let shipment = inFlight.remove(at: index)
            switch outcome.verdict {
            case .delivered:
                delivered += shipment.sequences
                effects += succeeded(shipment, at: now)
            case .withheld:
                delivered += shipment.sequences
                withheld += shipment.records.count
            case .retry(let reason, let after):
                missed.noteFailure(of: shipment)
                effects += failed(reason, after: after, at: now)
            case .refused(let reason):
                effects += refused(shipment, reason, at: now)
            case .unwritable(let reason):
                effects += unwritable(shipment, reason)
            case .unauthorised(let reason):
                missed.noteFailure(of: shipment)
                pause.lock(at: now)
                outageEnded()
                effects += complaints.target(.unauthorised(reason: reason))
            }
        }
        if !delivered.isEmpty {
            effects.insert(.markDelivered(delivered), at: 0)
            effects.append(.report(.delivered(count: delivered.count, withheld: withheld)))
        }
        // Whether anything but them is left is known to the queue alone.
        if inFlight.isEmpty, !suspects.open.isEmpty { mayHaveMore = true }
        if inFlight.isEmpty, !mayHaveMore { gate.finish() }
        return effects + next(at: now)
    }

    private mutating func succeeded(_ shipment: Shipment, at now: Instant) -> [Effect] {
        let failures = max(pause.failures, suspectPause.failures)
        pause.succeed()
        suspectPause.succeed()
        suspectsDue = nil
        // What was refused before is tried again, now that the target takes something.
        if !suspects.open.isEmpty { mayHaveMore = true }
        if shipment.lane == .backlog { batch.delivered(in: now - shipment.sent) }
        return complaints.targetWorks(after: failures)
            + suspects.delivered(shipment.sequences).flatMap { suspect -> [Effect] in
                let news = UploadReport.News.setAside(sequence: suspect.sequence, reason: suspect.reason)
                return [.setAside(suspect.sequence, reason: suspect.reason), .report(news)]
            }
    }

    private mutating func refused(_ shipment: Shipment, _ reason: String, at now: Instant) -> [Effect] {
        mayHaveMore = true
        guard let suspect = culprit(of: shipment) else { return [] }
        suspects.refused(suspect, reason: reason)
        guard suspects.showOutage else { return [] }
        missed.noteFailure(of: shipment)
        pause.fail(after: nil, jitter: jitter.next(), at: now)
        outageEnded()
        return complaints.target(.failing(reason: Self.refusesAll(reason)))
    }

    private mutating func unwritable(_ shipment: Shipment, _ reason: String) -> [Effect] {
        mayHaveMore = true
        guard let sequence = culprit(of: shipment) else { return [] }
        return [.setAside(sequence, reason: reason), .report(.unsendable(sequences: [sequence], reason: reason))]
    }

    /// The record at fault, when it is alone; otherwise half as many records go into the next shipment.
    private mutating func culprit(of shipment: Shipment) -> Int64? {
        guard shipment.records.count == 1 else {
            batch.refused(shipment.records.count)
            return nil
        }
        batch.culpritFound()
        return shipment.sequences.first
    }

    /// All that waits was refused: it is tried again after the pause of the outage, or else after one of its own, which
    /// a new record does not wait for.
    mutating func onlySuspectsLeft(at now: Instant) -> [Effect] {
        let reason = Self.refusesAll(suspects.lastReason)
        if suspects.showOutage {
            retrySuspects()
        } else if suspectsDue == nil {
            suspectPause.fail(after: nil, jitter: jitter.next(), at: now)
            suspectsDue = suspectPause.end(after: now)
        }
        return complaints.target(.failing(reason: reason))
    }

    mutating func retrySuspects() {
        suspectsDue = nil
        suspects.reopen()
        mayHaveMore = true
    }

    private static func refusesAll(_ reason: String) -> String { "the server refuses all that it gets (\(reason))" }

    private mutating func failed(_ reason: String, after: Duration?, at now: Instant) -> [Effect] {
        batch.failed()
        pause.fail(after: after, jitter: jitter.next(), at: now)
        outageEnded()
        return complaints.target(.failing(reason: reason))
    }

    /// Lets the newest record overtake a backlog from the next attempt on, which does not wait for an interval.
    mutating func outageEnded() {
        mayHaveMore = true
        live.outageEnded()
        gate.reset()
    }
}
