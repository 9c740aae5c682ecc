//  Three rules that select which waiting records are sent now: priority of the newest, rounds, and missed records.

import TrackingOptions
internal import Quantities
internal import Tracking

/// Lets the newest record overtake the others: after an outage, until the backlog of the outage is delivered.
///
/// In normal operation records are sent in order, because most servers take the last arrival for the current position.
struct LivePriority: Sendable, Hashable {
    /// Whether there may be a backlog: after an outage, and when the program starts.
    private var isCatchingUp = true
    private var last: Instant?

    private static let interval: Duration = .seconds(5)
    /// A shorter backlog is delivered in order: the newest record arrives soon enough.
    private static let backlogAge: Duration = .seconds(60)

    mutating func outageEnded() { self = LivePriority() }

    /// The queue is empty, or what is left is delivered in order.
    mutating func caughtUp() { isCatchingUp = false }

    /// Whether the newest record is sent next, before the oldest one that waits.
    mutating func overtakes(_ newest: StoredRecord, oldest: StoredRecord?, at now: Instant) -> Bool {
        guard isCatchingUp else { return false }
        guard let oldest, newest.created - oldest.created > Self.backlogAge else {
            caughtUp()
            return false
        }
        return last.map { now - $0 >= Self.interval } ?? true
    }

    mutating func sent(at now: Instant) { last = now }
}

/// Spaces uploads: a round takes the records that wait when it begins, and the next round begins an interval later.
struct SyncGate: Sendable, Hashable {
    private let interval: Duration
    private var start: Instant?
    private var through = Int64.max
    private var isOver = true

    init(interval: Duration) { self.interval = interval }

    /// When the next round may begin; nil if it may now, or if a round is under way.
    func opens(after now: Instant) -> Instant? {
        guard isOver, let start, now < start + interval else { return nil }
        return start + interval
    }

    /// Begins a round if one is due; `newest` is the last record that belongs to it.
    mutating func enter(newest: Int64?, at now: Instant) {
        if let start, now < start + interval { return }
        start = now
        through = newest ?? .max
        isOver = false
    }

    /// Whether a record belongs to this round.
    func admits(_ sequence: Int64) -> Bool { sequence <= through }

    /// All records of the round are delivered.
    mutating func finish() { isOver = true }

    /// After an outage the next attempt does not wait for the interval.
    mutating func reset() { self = SyncGate(interval: interval) }
}

/// The records that a target never gets because it was unreachable when they were new, by its `replay` rule.
///
/// The newest place is always sent, and everything if the rule is `all`. What a target missed while the program did not run
/// is not known to be missed, and is delivered.
struct MissedRecords: Sendable, Hashable {
    private let rule: ReplayRule
    /// All records up to this one are missed, except those that the rule has delivered later.
    private(set) var through: Int64 = 0
    /// The newest record that failed.
    private var failed: Int64 = 0

    init(rule: ReplayRule) { self.rule = rule }

    mutating func noteFailure(of batch: InFlightBatch) { failed = max(failed, batch.sequences.last ?? 0) }

    /// An attempt begins after a failure: records older than the newest place are too late.
    mutating func notePause(before newest: Int64?) { through = max(through, newest.map { $0 - 1 } ?? failed) }

    /// The queue has dropped them; a record that comes to the target from now on was ordered by the owner.
    mutating func passedOver() { self = MissedRecords(rule: rule) }

    func contains(_ stored: StoredRecord) -> Bool {
        switch rule {
        case .all: false
        case .stops: stored.sequence <= through && !stored.record.isStop
        case .none: stored.sequence <= through
        }
    }
}
