internal import Quantities

/// Records that the target did not accept, tracked one by one until it is clear whether the record or the target is at fault.
///
/// A failure counts against a record once the target has then accepted another record. After at least three such
/// failures the record is set aside. More are necessary if the target has accepted few others since the first, or has
/// often failed on records that it accepted later. A target that accepts no record is out of order, so none is set aside.
struct Suspects: Sendable, Hashable {
    /// A record that failed when it was sent alone.
    struct Suspect: Sendable, Hashable {
        let sequence: Int64
        /// What the server answered, or why there was no answer.
        var reason: String
        var isRefused: Bool
        /// Failures that count against the record.
        var count = 0
        /// The number of other batches accepted at the first attempt since this record first failed.
        var accepted = 0
        /// The number of other records that have failed for the first time since then.
        var failed = 0
        /// True if the last failure does not count yet.
        var isOpen = true
    }

    enum Remedy: Sendable, Hashable {
        /// Tries the same record, which keeps the order if the failure was temporary. After a second failure another
        /// record is sent.
        case sameRecord
        case otherRecord
        /// Sends all others first, until none is left or one fails too, because an attempt with the same record takes
        /// long.
        case allOthers
    }

    /// The suspects that are not sent now.
    private enum Avoided: Sendable, Hashable {
        case none
        /// Suspects whose last failure does not count yet.
        case open
        /// All suspects, and the records that are sent after all others.
        case all
    }

    private var suspects: [Suspect] = []
    /// Records that are sent after all others.
    private var last: Set<Int64> = []
    private var avoided = Avoided.none
    /// Failures of single records since the last success.
    private var failures = 0
    /// True if several records in a row have failed, so that a distant record shows more than the next one.
    private(set) var needsDistantRecord = false
    /// The weighted number of failures of records that were accepted later; old failures lose weight.
    private var passing = 0.0

    var excluded: [Int64] {
        switch avoided {
        case .none: []
        case .open: suspects.filter(\.isOpen).map(\.sequence)
        case .all: suspects.map(\.sequence) + last
        }
    }

    /// True if some records wait until the target has accepted others.
    var isHolding: Bool { hasOpen || avoided != .none }

    /// True while some failure does not count yet: until the target accepts another record, or until `reopen`.
    var hasOpen: Bool { suspects.contains(where: \.isOpen) }

    /// The last failure that does not count yet.
    var lastOpen: (reason: String, isRefused: Bool)? {
        suspects.last(where: \.isOpen).map { ($0.reason, $0.isRefused) }
    }

    /// True if at least two records failed and none was accepted in between. Records against which an earlier failure
    /// counts do not matter.
    var showOutage: Bool { suspects.count { $0.isOpen && $0.count == 0 } > 1 }

    func contains(_ sequence: Int64) -> Bool { suspects.contains { $0.sequence == sequence } }

    /// Returns whether the target has accepted other records since this one failed.
    func isLikely(_ sequence: Int64) -> Bool { suspects.contains { $0.sequence == sequence && $0.count > 0 } }

    func isExcluded(_ sequence: Int64) -> Bool {
        switch avoided {
        case .none: false
        case .open: suspects.contains { $0.isOpen && $0.sequence == sequence }
        case .all: contains(sequence) || last.contains(sequence)
        }
    }

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

    /// Sends these records after all others, because they timed out or the server rejected the user.
    mutating func postpone(_ sequences: [Int64]) {
        last.formUnion(sequences)
        avoided = .all
    }

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

    /// Releases the records that wait behind all others; false if there are none.
    mutating func releaseLast() -> Bool {
        guard avoided == .all, !last.isEmpty || suspects.contains(where: { !$0.isOpen }) else { return false }
        (last, avoided) = ([], .open)
        return true
    }

    /// Allows another attempt although nothing was accepted; the last failures then do not count.
    mutating func reopen() {
        (last, avoided, needsDistantRecord) = ([], .none, false)
        for index in suspects.indices { suspects[index].isOpen = false }
    }

    /// True if a target that fails by chance would hardly have failed on this record every time.
    private func isAtFault(_ suspect: Suspect) -> Bool {
        guard suspect.count >= Self.enough else { return false }
        let failed = passing + Double(suspect.failed)
        let chance = (failed + 1) / (failed + Double(suspect.accepted) + 2)
        return (0..<suspect.count).reduce(1) { probability, _ in probability * chance } <= Self.doubt
    }

    private static let enough = 3
    /// A record is at fault if the probability that all its failures are chance is at most this.
    private static let doubt = 0.0001
    /// The part of a failure's weight that remains after each success.
    private static let memory = 0.98
    /// The limit of the list, which is then emptied. A server that is out of order for days fails on one more record
    /// after every other pause of 5 min.
    private static let most = 1000
}

/// The pause when only suspects are left.
struct SuspectPause: Sendable {
    private var pause = RetryPause()
    /// When to try again although nothing was accepted; nil if no attempt is planned.
    private(set) var due: Instant?

    /// The number of pauses since the last success.
    var failures: Int { pause.failures }

    mutating func begin(jitter: Double, at now: Instant) {
        pause.fail(after: nil, jitter: jitter, at: now)
        due = pause.end(after: now)
    }

    mutating func end() { due = nil }

    mutating func retryNow(at now: Instant) { pause.retryNow(at: now) }
}

/// The size is doubled after a fast request, and halved after a slow, failed or refused one.
struct BatchSize: Sendable, Hashable {
    private(set) var current: Int
    private let maximum: Int
    /// Half of a failed batch until the record at fault is found or all its records are accepted, otherwise `maximum`.
    private var ceiling: Int
    /// The records of the last failed batch with more than one record, without those accepted since.
    private var inDoubt: Set<Int64> = []

    private static let first = 10
    /// A request that takes this long was too big for the link.
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

    mutating func failed() { current = max(1, current / 2) }

    mutating func accepted(_ sequences: [Int64]) {
        guard !inDoubt.isEmpty else { return }
        inDoubt.subtract(sequences)
        if inDoubt.isEmpty { ceiling = maximum }
    }

    /// Returns the record at fault; nil if the batch has several, because halved batches then lead to it.
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
