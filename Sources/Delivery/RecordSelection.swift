//  Three rules that select the waiting records to send now: priority of the newest record, rounds, and missed records.

import TrackingOptions
internal import Quantities
internal import Tracking

/// Lets the newest record overtake the others after an outage, until the backlog of the outage is delivered.
///
/// In normal operation trackerd sends records in order, because most servers show the last record that they received as the current
/// position.
struct LivePriority: Sendable, Hashable {
    /// Whether there may be a backlog: true after an outage, and when the program starts.
    private var isCatchingUp = true
    private var last: Instant?

    private static let interval: Duration = .seconds(5)
    /// The newest record overtakes only a backlog that spans more than this time; trackerd soon delivers a shorter
    /// backlog.
    private static let backlogAge: Duration = .seconds(60)

    mutating func outageEnded() { self = LivePriority() }

    /// Notes that the queue is empty, or that trackerd delivers the remaining records in order.
    mutating func caughtUp() { isCatchingUp = false }

    /// Returns whether trackerd sends the newest record next, before the oldest waiting record.
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

/// Divides uploads into rounds.
///
/// A round contains the records that wait at its beginning. The next round begins an interval later.
struct SyncGate: Sendable, Hashable {
    /// The time from the beginning of one round to the next.
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

    /// Begins a round if one is due; `newest` is the last record that belongs to the round.
    ///
    /// If `newest` is nil, all records belong to the round.
    mutating func enter(newest: Int64?, at now: Instant) {
        if let start, now < start + interval { return }
        start = now
        through = newest ?? .max
        isOver = false
    }

    func admits(_ sequence: Int64) -> Bool { sequence <= through }

    /// Notes that all records of the round are delivered.
    mutating func finish() { isOver = true }

    /// Resets the gate after an outage; the next attempt then does not wait for the interval.
    mutating func reset() { self = SyncGate(interval: interval) }
}

/// The records that a target never receives, because the target was unreachable when they were new and its `replay` rule excludes
/// them.
///
/// trackerd always sends the newest record with a position; if the rule is `all`, trackerd sends every record. Records that
/// waited while the program was not running are missed only if an attempt after the start fails. Otherwise trackerd delivers
/// them.
struct MissedRecords: Sendable, Hashable {
    var rule: ReplayRule
    /// The number of the last missed record; all records up to this number are missed.
    private(set) var through: Int64 = 0
    /// The newest record that trackerd sent without success.
    private var failed: Int64 = 0

    init(rule: ReplayRule) { self.rule = rule }

    mutating func noteFailure(of batch: InFlightBatch) { failed = max(failed, batch.sequences.last ?? 0) }

    /// Notes that an attempt begins after a failure; from now on all records older than the newest position are missed.
    ///
    /// If the target needs no position (`newest` is nil), the records up to the last failed record are missed.
    mutating func notePause(before newest: Int64?) { through = max(through, newest.map { $0 - 1 } ?? failed) }

    /// Notes that the queue has dropped the missed records.
    ///
    /// The queue later returns a dropped record only if the owner requests it. trackerd then sends the record.
    mutating func passedOver() { self = MissedRecords(rule: rule) }

    func contains(_ stored: StoredRecord) -> Bool {
        switch rule {
        case .all: false
        case .stops: stored.sequence <= through && !stored.record.isStop
        case .none: stored.sequence <= through
        }
    }
}
