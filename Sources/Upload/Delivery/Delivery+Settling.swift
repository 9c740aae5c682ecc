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
        if inFlight.isEmpty, !mayHaveMore { gate.finish() }
        return effects + next(at: now)
    }

    private mutating func succeeded(_ shipment: Shipment, at now: Instant) -> [Effect] {
        let failures = pause.failures
        pause.succeed()
        refusedInARow = 0
        if shipment.lane == .backlog { batch.delivered(in: now - shipment.sent) }
        return complaints.targetWorks(after: failures)
    }

    private mutating func refused(_ shipment: Shipment, _ reason: String, at now: Instant) -> [Effect] {
        mayHaveMore = true
        guard shipment.records.count == 1, let culprit = shipment.sequences.first else {
            batch.refused(shipment.records.count)
            return []
        }
        batch.culpritFound()
        refusedInARow += 1
        if refusedInARow > Self.patience { pause.fail(after: nil, jitter: jitter.next(), at: now) }
        return [.setAside(culprit, reason: reason), .report(.setAside(sequence: culprit, reason: reason))]
    }

    /// How many records in a row are set aside at full speed.
    private static let patience = 3

    private mutating func failed(_ reason: String, after: Duration?, at now: Instant) -> [Effect] {
        batch.failed()
        pause.fail(after: after, jitter: jitter.next(), at: now)
        outageEnded()
        return complaints.target(.failing(reason: reason))
    }

    /// Makes the next attempt begin with the newest record, without waiting for an interval.
    mutating func outageEnded() {
        mayHaveMore = true
        live = LiveLane(isWanted: true)
        gate.reset()
    }
}
