internal import Quantities
internal import Tracking

/// When the newest record overtakes the others: after an outage, until the backlog that the outage left is delivered.
///
/// In normal operation records go out in order, because most servers take the last one that arrives for the present place.
struct LiveLane: Sendable, Hashable {
    /// Whether there may be a backlog: after an outage, and when the program starts.
    private var isCatchingUp = true
    private var last: Instant?

    private static let interval: Duration = .seconds(5)
    /// A queue whose records are closer together than this is delivered in order: the newest one is there soon enough.
    private static let backlogAge: Duration = .seconds(60)

    mutating func outageEnded() { self = LiveLane() }

    /// The queue is empty, or what is in it is delivered in order.
    mutating func caughtUp() { isCatchingUp = false }

    /// Whether the newest record goes next, before the oldest one that waits.
    mutating func overtakes(_ newest: StoredRecord, oldest: StoredRecord?, at now: Instant) -> Bool {
        guard isCatchingUp else { return false }
        guard let oldest, newest.created - oldest.created > Self.backlogAge else {
            caughtUp()
            return false
        }
        return last.map { now - $0 >= Self.interval } ?? true
    }

    mutating func leaves(at now: Instant) { last = now }
}
