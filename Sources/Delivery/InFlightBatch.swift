package import Formats
package import Quantities
package import Tracking

/// Records that trackerd sends to a target together; the batch is in flight until its outcome is known.
package struct InFlightBatch: Sendable, Hashable {
    package enum Priority: Sendable, Hashable {
        /// The batch is the newest record, which overtakes the backlog.
        case live
        /// The batch is next in order.
        case backlog
    }

    package let id: Int
    package let priority: Priority
    /// The records, at least one, in order of their sequence.
    package let records: [StoredRecord]
    /// Whether the last record of the batch is the newest record with a position.
    package let isNewest: Bool
    /// Whether the target still needs a newer position than the positions in the batch.
    package let isOvertaken: Bool
    package let sent: Instant

    package var sequences: [Int64] { records.map(\.sequence) }
}

/// The batches in flight, in the order in which they were sent.
struct Flight: Sendable {
    private var batches: [InFlightBatch] = []
    private var nextID = 1

    var count: Int { batches.count }
    var isEmpty: Bool { batches.isEmpty }
    var sequences: [Int64] { batches.flatMap(\.sequences) }

    /// The first record of the only batch; nil if there is none, or more than one.
    var only: Int64? { batches.count == 1 ? batches[0].sequences[0] : nil }

    func contains(_ sequence: Int64) -> Bool { batches.contains { $0.sequences.contains(sequence) } }

    mutating func begin(
        _ records: [StoredRecord], _ priority: InFlightBatch.Priority, isNewest: Bool, isOvertaken: Bool = false,
        at now: Instant
    ) -> InFlightBatch {
        let batch = InFlightBatch(
            id: nextID, priority: priority, records: records, isNewest: isNewest, isOvertaken: isOvertaken, sent: now)
        nextID += 1
        batches.append(batch)
        return batch
    }

    /// Returns a batch whose outcome is known; nil if no such batch is in flight.
    mutating func end(_ id: Int) -> InFlightBatch? {
        batches.firstIndex { $0.id == id }.map { batches.remove(at: $0) }
    }
}

/// Delivered records that the queue has not marked as delivered yet.
struct UnmarkedRecords: Sendable {
    private(set) var sequences: [Int64] = []
    /// Whether the queue failed to mark the records.
    private(set) var isDue = false

    private static let most = 10_000

    /// Whether the target receives no further records until the queue has marked these.
    var isFull: Bool { sequences.count >= Self.most }

    mutating func add(_ delivered: [Int64]) { sequences += delivered }

    mutating func queueFailed() { isDue = !sequences.isEmpty }
}

package struct BatchOutcome: Sendable, Hashable {
    package let id: Int
    package let verdict: Verdict
    /// The number of records that trackerd left out of a payload, because the format cannot express them.
    ///
    /// The value is 0 if the verdict is `withheld`, which applies to all records of the batch.
    package let withheld: Int
    /// Whether the batch may have reached the server; if not, the batch has not caused a failure.
    package let wasSent: Bool

    package init(id: Int, verdict: Verdict, withheld: Int = 0, wasSent: Bool = true) {
        self.id = id
        self.verdict = verdict
        self.wasSent = wasSent
        self.withheld = withheld
    }
}

/// Collects the outcomes of batches; the queue can then store many deliveries in one transaction.
///
/// After a kill and a restart, the program sends the collected batches again. The collection is therefore small, and outcomes wait
/// in it only for a short time.
package struct Settlements: Sendable, Hashable {
    private var outcomes: [BatchOutcome] = []
    private var since: Instant?
    /// The number of outcomes for which the collection waits before `take` returns them.
    private let enough: Int

    private static let longest: Duration = .seconds(1)

    /// Makes a collection for a target with at most `window` batches in flight.
    ///
    /// The collection waits for at most half of the batches, because `Delivery` then requests more records from the
    /// queue.
    package init(window: Int) { enough = max(1, window / 2) }

    /// The latest time at which `take` returns the outcomes; nil if the collection is empty.
    package var deadline: Instant? { since.map { $0 + Self.longest } }

    package mutating func add(_ new: [BatchOutcome], at now: Instant) {
        guard !new.isEmpty else { return }
        outcomes += new
        since = since ?? now
    }

    /// Returns the outcomes if enough outcomes have arrived, if the oldest has waited long enough, or if one outcome is not a
    /// delivery.
    package mutating func take(inFlight count: Int, at now: Instant) -> [BatchOutcome] {
        let isDue = deadline.map { now >= $0 } ?? false
        let isPlain = outcomes.allSatisfy { $0.verdict == .delivered }
        guard isDue || !isPlain || outcomes.count >= min(enough, count) else { return [] }
        return takeAll()
    }

    package mutating func takeAll() -> [BatchOutcome] {
        defer { (outcomes, since) = ([], nil) }
        return outcomes
    }
}
