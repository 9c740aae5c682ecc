package import Formats
package import Quantities
package import Tracking

/// A batch is in flight until its outcome is known.
package struct InFlightBatch: Sendable, Hashable {
    package enum Priority: Sendable, Hashable {
        /// The newest record, which overtakes the backlog.
        case live
        case backlog
    }

    package let id: Int
    package let priority: Priority
    /// The records, at least one, in order of their sequence.
    package let records: [StoredRecord]
    /// True if the last record is the newest with a position.
    package let isNewest: Bool
    /// True if the queue has a newer position that the target still needs.
    package let isOvertaken: Bool
    package let sent: Instant

    package var sequences: [Int64] { records.map(\.sequence) }
}

/// The batches in flight, in the order of sending.
struct Flight: Sendable {
    private var batches: [InFlightBatch] = []
    private var nextID = 1

    var count: Int { batches.count }
    var isEmpty: Bool { batches.isEmpty }
    var sequences: [Int64] { batches.flatMap(\.sequences) }

    /// The first record of the only batch; nil if there is no batch, or more than one.
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

    mutating func end(_ id: Int) -> InFlightBatch? {
        batches.firstIndex { $0.id == id }.map { batches.remove(at: $0) }
    }
}

/// Delivered records that are not yet marked as such in the queue.
struct UnmarkedRecords: Sendable {
    private(set) var sequences: [Int64] = []
    /// True if the queue has failed, so that the records must be marked again.
    private(set) var isDue = false

    private static let most = 10_000

    /// If true, the target receives nothing more until these records are marked.
    var isFull: Bool { sequences.count >= Self.most }

    mutating func add(_ delivered: [Int64]) { sequences += delivered }

    mutating func queueFailed() { isDue = !sequences.isEmpty }
}

package struct BatchOutcome: Sendable, Hashable {
    package let id: Int
    package let verdict: Verdict
    /// The number of records left out because the format cannot express them; 0 if the verdict is `withheld`, which
    /// concerns all.
    package let withheld: Int
    /// False if the batch was not sent to the server, so that it cannot have caused the failure.
    package let wasSent: Bool

    package init(id: Int, verdict: Verdict, withheld: Int = 0, wasSent: Bool = true) {
        self.id = id
        self.verdict = verdict
        self.wasSent = wasSent
        self.withheld = withheld
    }
}

/// Collects outcomes, because one transaction can mark many deliveries. After a kill, unmarked records are sent again,
/// so their number and the wait are limited.
package struct Settlements: Sendable, Hashable {
    private var outcomes: [BatchOutcome] = []
    private var since: Instant?
    private let enough: Int

    private static let longest: Duration = .seconds(1)

    /// Half of `window` is enough, because `Delivery` then asks for more records.
    package init(window: Int) { enough = max(1, window / 2) }

    /// When `take` returns the outcomes at the latest; nil if there are none.
    package var deadline: Instant? { since.map { $0 + Self.longest } }

    package mutating func add(_ new: [BatchOutcome], at now: Instant) {
        guard !new.isEmpty else { return }
        outcomes += new
        since = since ?? now
    }

    /// Empty until half of the window or all batches in flight have outcomes, the oldest outcome has waited for a
    /// second, or one is not a delivery.
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
