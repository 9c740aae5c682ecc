//  Three rules that select the waiting records to send now: priority of the newest record, rounds, and missed records.

import TrackingOptions
internal import Quantities
internal import Tracking

/// After an outage the newest record overtakes the backlog. Otherwise records are sent in order, because most servers
/// show the last record that they received as the present place.
struct LivePriority: Sendable, Hashable {
    /// True while there may be a backlog: after an outage, and at the start.
    private var isCatchingUp = true
    private var last: Instant?

    private static let interval: Duration = .seconds(5)
    /// A shorter backlog is delivered soon anyway.
    private static let backlogAge: Duration = .seconds(60)

    mutating func outageEnded() { self = LivePriority() }

    mutating func caughtUp() { isCatchingUp = false }

    mutating func overtakes(_ newest: StoredRecord, oldest: StoredRecord?, at now: Instant) -> Bool {
        guard isCatchingUp else { return false }
        // After a correction of the clock, the oldest record may have the later date.
        let span = oldest.map { max(newest.created - $0.created, $0.created - newest.created) } ?? .zero
        guard span > Self.backlogAge else {
            caughtUp()
            return false
        }
        return last.map { now - $0 >= Self.interval } ?? true
    }

    mutating func sent(at now: Instant) { last = now }
}

/// A round consists of the records that wait when it begins; the next round begins at least an interval after this
/// beginning.
struct SyncGate: Sendable, Hashable {
    var interval: Duration
    private var start: Instant?
    private var through = Int64.max
    private var isOver = true

    init(interval: Duration) { self.interval = interval }

    /// Returns when the next round may begin; nil if it may begin now, or if a round is in progress.
    func opens(after now: Instant) -> Instant? {
        guard isOver, let start, now < start + interval else { return nil }
        return start + interval
    }

    /// Begins a round if the interval since the last beginning is over. `newest` is the last record of the round; nil
    /// means that it has no limit.
    mutating func enter(newest: Int64?, at now: Instant) {
        if let start, now < start + interval { return }
        start = now
        through = newest ?? .max
        isOver = false
    }

    func admits(_ sequence: Int64) -> Bool { sequence <= through }

    mutating func finish() { isOver = true }

    /// Begins anew after an outage: the next attempt does not wait for the interval.
    mutating func reset() { self = SyncGate(interval: interval) }
}

/// The records that a target never receives, because it was unreachable when they were new, and its `replay` rule
/// excludes them. The newest record with a position is always sent. Records that waited while the program was not
/// running count as missed only if an attempt after the start fails.
struct MissedRecords: Sendable, Hashable {
    var rule: ReplayRule
    /// All records up to this one are missed.
    private(set) var through: Int64 = 0
    private var failed: Int64 = 0

    init(rule: ReplayRule) { self.rule = rule }

    mutating func noteFailure(of batch: InFlightBatch) { failed = max(failed, batch.sequences.last ?? 0) }

    /// Records before the newest position are missed; without a position, all up to the last failed record.
    mutating func notePause(before newest: Int64?) { through = max(through, newest.map { $0 - 1 } ?? failed) }

    /// Forgets the records that were passed over. They come back only if the owner asks for them, and are sent then.
    mutating func passedOver() { self = MissedRecords(rule: rule) }

    func contains(_ stored: StoredRecord) -> Bool {
        switch rule {
        case .all: false
        case .stops: stored.sequence <= through && !stored.record.isStop
        case .none: stored.sequence <= through
        }
    }
}
