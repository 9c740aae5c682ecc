internal import Quantities

// Finds the record at fault after failures, whatever the failures are. Batches shrink to a single record. Failures that
// other records do not share confirm that this record is at fault.

/// Records that the target did not accept, tracked one by one until it is clear whether the record or the target is at fault.
///
/// A failure counts against a record once the target has accepted another record after it. After three such failures the
/// record is set aside, unless the target has also failed on records that it accepted later. The more often it did so,
/// the more failures are necessary. If the target accepts no record, the target is out of order, and trackerd sets no
/// record aside.
struct Suspects: Sendable, Hashable {
    /// A record that the target did not accept when it was sent alone.
    struct Suspect: Sendable, Hashable {
        let sequence: Int64
        /// The target's last answer, or why there was none.
        var reason: String
        /// Whether the target's last answer was a refusal.
        var isRefused: Bool
        /// The number of failures that count against the record.
        var count = 0
        /// The number of other batches that the target has accepted at the first attempt since the record failed first.
        var accepted = 0
        /// The number of other records that have failed for the first time since this one.
        var failed = 0
        /// Whether the last failure does not count yet.
        var isOpen = true
    }

    /// What follows a failure.
    enum Remedy: Sendable, Hashable {
        /// The same record again, which keeps the order if the failure was temporary; another record after a second failure.
        case sameRecord
        case otherRecord
        /// Other records, until none is left or one fails too, because an attempt with the same record takes long.
        case allOthers
    }

    /// The records that trackerd does not send now.
    private enum Avoided: Sendable, Hashable {
        case none
        /// The suspects whose last failure does not count yet.
        case open
        /// All suspects, and the records that are sent after all others.
        case all
    }

    private var suspects: [Suspect] = []
    /// Records that are sent after all others.
    private var last: Set<Int64> = []
    private var avoided = Avoided.none
    /// The failures of single records since the last success.
    private var failures = 0
    /// Whether many records in a row have failed, so that a distant record shows more than the next one.
    private(set) var needsDistantRecord = false
    /// The failures of records that the target accepted later; old failures lose their weight.
    private var passing = 0.0

    /// Records that trackerd does not send now.
    var excluded: [Int64] {
        switch avoided {
        case .none: []
        case .open: suspects.filter(\.isOpen).map(\.sequence)
        case .all: suspects.map(\.sequence) + last
        }
    }

    /// Whether records wait until the target has accepted others.
    var isHolding: Bool { hasOpen || avoided != .none }

    /// Whether a record waits until the target has accepted another record, or until `reopen`.
    var hasOpen: Bool { suspects.contains(where: \.isOpen) }

    /// The target's last answer to a record that waits, and whether this answer is a refusal.
    var lastOpen: (reason: String, isRefused: Bool)? {
        suspects.last(where: \.isOpen).map { ($0.reason, $0.isRefused) }
    }

    /// Whether the target refuses everything, because it has refused two records and accepted no record in between.
    ///
    /// Records against which an earlier refusal counts do not matter here.
    var showOutage: Bool { suspects.count { $0.isOpen && $0.count == 0 } > 1 }

    /// Returns whether the record is a suspect; trackerd sends such a record in a batch of its own.
    func contains(_ sequence: Int64) -> Bool { suspects.contains { $0.sequence == sequence } }

    /// Returns whether the target has accepted other records since it failed on this one.
    func isLikely(_ sequence: Int64) -> Bool { suspects.contains { $0.sequence == sequence && $0.count > 0 } }

    func isExcluded(_ sequence: Int64) -> Bool {
        switch avoided {
        case .none: false
        case .open: suspects.contains { $0.isOpen && $0.sequence == sequence }
        case .all: contains(sequence) || last.contains(sequence)
        }
    }

    /// Notes that the target did not accept a record that was sent alone.
    mutating func failed(_ sequence: Int64, reason: String, isRefused: Bool, next remedy: Remedy) {
        var suspect = Suspect(sequence: sequence, reason: reason, isRefused: isRefused)
        if let index = suspects.firstIndex(where: { $0.sequence == sequence }) {
            let former = suspects.remove(at: index)
            (suspect.count, suspect.accepted, suspect.failed) = (former.count, former.accepted, former.failed)
        } else {
            for index in suspects.indices { suspects[index].failed += 1 }
        }
        if suspects.count >= Self.most { suspects = [] }
        suspects.append(suspect)
        failures += 1
        // If other records fail too, attempts with the first record alternate with attempts with other records.
        let isOther = remedy != .sameRecord || failures > 1 && avoided == .none
        avoided = isOther ? .all : .none
        needsDistantRecord = isOther && failures > (remedy == .sameRecord ? 3 : 1)
        if remedy == .allOthers { last.insert(sequence) }
    }

    /// Notes that a batch took long and failed; its records follow after all others.
    mutating func postpone(_ sequences: [Int64]) {
        last.formUnion(sequences)
        avoided = .all
    }

    /// Notes that the target has accepted these records; returns the suspects that are now known to be at fault.
    mutating func delivered(_ sequences: [Int64]) -> [Suspect] {
        guard !suspects.isEmpty || !last.isEmpty || passing > 0 else { return [] }
        passing = passing < 0.01 ? 0 : passing * Self.memory
        if failures > 1 { last = [] }
        last.subtract(sequences)
        (failures, avoided, needsDistantRecord) = (0, last.isEmpty ? .none : .all, false)
        let isFirstAttempt = !suspects.contains { sequences.contains($0.sequence) }
        for index in suspects.indices.reversed() {
            if sequences.contains(suspects[index].sequence) {
                let suspect = suspects.remove(at: index)
                passing += Double(suspect.count + (suspect.isOpen ? 1 : 0))
            } else {
                suspects[index].accepted += isFirstAttempt ? 1 : 0
                if suspects[index].isOpen { suspects[index].count += 1 }
                suspects[index].isOpen = false
            }
        }
        let proven = suspects.filter(isAtFault)
        if !proven.isEmpty { suspects.removeAll { proven.contains($0) } }
        return proven
    }

    /// Lets the records follow that were sent after all others; returns whether there are any.
    mutating func releaseLast() -> Bool {
        guard avoided == .all, !last.isEmpty || suspects.contains(where: { !$0.isOpen }) else { return false }
        (last, avoided) = ([], .open)
        return true
    }

    /// Marks all suspects for another attempt, although the target has accepted no record; their last failures do not
    /// count.
    mutating func reopen() {
        (last, avoided, needsDistantRecord) = ([], .none, false)
        for index in suspects.indices { suspects[index].isOpen = false }
    }

    /// Returns whether the record explains its failures, because a target that fails by chance would hardly have failed on it
    /// each time.
    private func isAtFault(_ suspect: Suspect) -> Bool {
        guard suspect.count >= Self.enough else { return false }
        let failed = passing + Double(suspect.failed)
        let chance = (failed + 1) / (failed + Double(suspect.accepted) + 2)
        return (0..<suspect.count).reduce(1) { probability, _ in probability * chance } <= Self.doubt
    }

    private static let enough = 3
    /// The largest probability of the failures by chance with which a record is set aside.
    private static let doubt = 0.0001
    /// What remains of the weight of a failure after each success.
    private static let memory = 0.98
    /// The maximum number of suspects.
    ///
    /// A server that is out of order for days fails on one more record after each second pause of 5 min. At this number
    /// trackerd empties the list.
    private static let most = 1000
}

/// The pause after the target has refused all waiting records.
struct SuspectPause: Sendable {
    private var pause = RetryPause()
    /// When to send suspects again although the target has accepted no record since their refusal; nil if no such attempt is due.
    private(set) var due: Instant?

    /// The pauses since the last success.
    var failures: Int { pause.failures }

    mutating func begin(jitter: Double, at now: Instant) {
        pause.fail(after: nil, jitter: jitter, at: now)
        due = pause.end(after: now)
    }

    mutating func end() { due = nil }

    mutating func retryNow(at now: Instant) { pause.retryNow(at: now) }
}

/// The number of records in one request.
///
/// The number doubles after a fast request, and halves after a slow, failed or refused request.
struct BatchSize: Sendable, Hashable {
    /// The size of the next request.
    private(set) var current: Int
    private let maximum: Int
    /// The maximum size after a refusal; it returns to `maximum` once the record at fault is found.
    private var ceiling: Int
    /// The records of the last batch of several records that failed, except those that the target has accepted since.
    private var inDoubt: Set<Int64> = []

    private static let first = 10
    /// A request that lasts this long is too big for the link.
    private static let slow: Duration = .seconds(15)
    private static let quick: Duration = .seconds(5)

    init(maximum: Int) {
        self.maximum = maximum
        current = min(Self.first, maximum)
        ceiling = maximum
    }

    mutating func delivered(in time: Duration) {
        if time >= Self.slow {
            current = max(1, current / 2)
        } else if time <= Self.quick {
            current = min(ceiling, current * 2)
        }
    }

    /// Notes that the request failed; a smaller request may succeed.
    mutating func failed() { current = max(1, current / 2) }

    mutating func accepted(_ sequences: [Int64]) {
        guard !inDoubt.isEmpty else { return }
        inDoubt.subtract(sequences)
        if inDoubt.isEmpty { ceiling = maximum }
    }

    /// Returns the record at fault if its batch contains only that record; otherwise halves the next batch and returns nil.
    ///
    /// After further refusals a batch contains only the record at fault.
    mutating func culprit(of batch: [Int64]) -> Int64? {
        guard batch.count == 1 else {
            ceiling = max(1, batch.count / 2)
            current = ceiling
            inDoubt = Set(batch)
            return nil
        }
        ceiling = maximum
        inDoubt = []
        return batch[0]
    }
}
