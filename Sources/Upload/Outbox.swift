internal import Delivery
internal import Formats
internal import Quantities
internal import Tracking

/// Encodes a target's batches for its transport, and collects their outcomes.
struct Outbox {
    private let target: UploadTarget
    private let transport: any Transport
    private let count: (Verdict) -> Void
    private var settlements: Settlements
    /// The number of records that the format cannot express, by batch.
    private var omitted: [Int: Int] = [:]

    init(_ target: UploadTarget, _ transport: any Transport, window: Int, count: @escaping (Verdict) -> Void) {
        (self.target, self.transport, self.count) = (target, transport, count)
        settlements = Settlements(window: window)
    }

    var deadline: Instant? { .earliest(transport.deadline, settlements.deadline) }

    /// Returns the outcome if the batch is not sent.
    mutating func send(_ batch: InFlightBatch, at now: Instant) -> BatchOutcome? {
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

    mutating func advance(at now: Instant) {
        let outcomes = transport.advance(at: now).map { outcome in
            count(outcome.verdict)
            guard let missing = omitted.removeValue(forKey: outcome.id) else { return outcome }
            return BatchOutcome(id: outcome.id, verdict: outcome.verdict, withheld: missing, wasSent: outcome.wasSent)
        }
        settlements.add(outcomes, at: now)
    }

    mutating func take(inFlight count: Int, at now: Instant) -> [BatchOutcome] {
        settlements.take(inFlight: count, at: now)
    }

    mutating func takeAll() -> [BatchOutcome] { settlements.takeAll() }
}
