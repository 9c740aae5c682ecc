internal import Quantities

/// Collects what became of shipments, so that the queue notes many deliveries in one transaction.
///
/// A kill sends again what is collected here. So it is not much, and not for long.
struct Settlements: Sendable, Hashable {
    private var outcomes: [ShipmentOutcome] = []
    private var since: Instant?
    /// The number of deliveries that are worth a transaction.
    private let enough: Int

    private static let longest: Duration = .seconds(1)

    /// Makes a collection for a target with so many shipments on their way at a time.
    ///
    /// `Delivery` asks the queue for more when half of them have arrived.
    init(window: Int) { enough = max(1, window / 2) }

    /// By when `take` has something to return; nil when it is empty.
    var deadline: Instant? { since.map { $0 + Self.longest } }

    mutating func add(_ new: [ShipmentOutcome], at now: Instant) {
        guard !new.isEmpty else { return }
        outcomes += new
        since = since ?? now
    }

    /// Returns what was collected when it is enough, has waited long enough, or is more than deliveries.
    mutating func take(onTheirWay count: Int, at now: Instant) -> [ShipmentOutcome] {
        let isDue = deadline.map { now >= $0 } ?? false
        let isPlain = outcomes.allSatisfy { $0.verdict == .delivered }
        guard isDue || !isPlain || outcomes.count >= min(enough, count) else { return [] }
        return takeAll()
    }

    mutating func takeAll() -> [ShipmentOutcome] {
        defer { (outcomes, since) = ([], nil) }
        return outcomes
    }
}
