package import Quantities
package import Tracking

/// Records that are sent to a target together, until the outcome is known.
package struct InFlightBatch: Sendable, Hashable {
    /// Why the batch is sent now.
    package enum Priority: Sendable, Hashable {
        /// It is the newest record, which overtakes the backlog.
        case live
        /// It is its turn.
        case backlog
    }

    /// A number of its own.
    package let id: Int
    /// Why the batch is sent now.
    package let priority: Priority
    /// At least one, in order of their sequence.
    package let records: [StoredRecord]
    /// Whether the last of them is the newest record of all.
    package let isNewest: Bool
    /// When it was sent.
    package let sent: Instant

    /// The sequence numbers of its records.
    package var sequences: [Int64] { records.map(\.sequence) }
}

/// The outcome of one batch.
package struct BatchOutcome: Sendable, Hashable {
    /// The number of the batch.
    package let id: Int
    /// The meaning of the server's answer.
    package let verdict: Verdict

    /// Makes an outcome.
    package init(id: Int, verdict: Verdict) {
        self.id = id
        self.verdict = verdict
    }
}

/// Collects the outcomes of batches, so that the queue stores many deliveries in one transaction.
///
/// After a kill the program sends again what is collected here, so the collection stays small and short.
struct Settlements: Sendable, Hashable {
    private var outcomes: [BatchOutcome] = []
    private var since: Instant?
    /// The number of deliveries that are worth a transaction.
    private let enough: Int

    private static let longest: Duration = .seconds(1)

    /// Makes a collection for a target with at most `window` batches in flight.
    ///
    /// `Delivery` asks the queue for more when half of them have arrived.
    init(window: Int) { enough = max(1, window / 2) }

    /// The latest time at which `take` returns something; nil if the collection is empty.
    var deadline: Instant? { since.map { $0 + Self.longest } }

    mutating func add(_ new: [BatchOutcome], at now: Instant) {
        guard !new.isEmpty else { return }
        outcomes += new
        since = since ?? now
    }

    /// Returns the outcomes if they are enough, have waited long enough, or are not only deliveries.
    mutating func take(inFlight count: Int, at now: Instant) -> [BatchOutcome] {
        let isDue = deadline.map { now >= $0 } ?? false
        let isPlain = outcomes.allSatisfy { $0.verdict == .delivered }
        guard isDue || !isPlain || outcomes.count >= min(enough, count) else { return [] }
        return takeAll()
    }

    mutating func takeAll() -> [BatchOutcome] {
        defer { (outcomes, since) = ([], nil) }
        return outcomes
    }
}
