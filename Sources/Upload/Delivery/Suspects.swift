// Finds the record at fault after a refusal. Batches shrink to a single record. A second refusal confirms that this record is
// at fault.

/// Refused records, tracked one by one until it is clear whether the record or the target is at fault.
///
/// A refusal counts against a record once the target has accepted another record after the refusal. After the second refusal that
/// counts, trackerd sets the record aside. If the target accepts no record, the target is out of order, and trackerd sets no record
/// aside.
struct Suspects: Sendable, Hashable {
    /// A record that the target refused.
    struct Suspect: Sendable, Hashable {
        let sequence: Int64
        /// The target's last answer.
        var reason: String
        /// The number of refusals that count against the record.
        var count = 0
        /// Whether the record waits: false once the target has accepted another record, or after `reopen`.
        var isOpen = true
    }

    private var suspects: [Suspect] = []

    /// Records that trackerd does not send again before the target has accepted another record, or before `reopen`.
    var open: [Int64] { suspects.filter(\.isOpen).map(\.sequence) }

    /// The target's answer to the last record in `open`.
    var lastReason: String { suspects.last(where: \.isOpen)?.reason ?? "" }

    /// Whether the target refuses everything, because it has refused two records and accepted no record in between.
    ///
    /// Records against which an earlier refusal counts do not matter here.
    var showOutage: Bool { suspects.count { $0.isOpen && $0.count == 0 } > 1 }

    /// Returns whether the target refused the record; trackerd sends such a record in a batch of its own.
    func contains(_ sequence: Int64) -> Bool { suspects.contains { $0.sequence == sequence } }

    func isOpen(_ sequence: Int64) -> Bool { suspects.contains { $0.isOpen && $0.sequence == sequence } }

    mutating func refused(_ sequence: Int64, reason: String) {
        var suspect = Suspect(sequence: sequence, reason: reason)
        if let index = suspects.firstIndex(where: { $0.sequence == sequence }) {
            suspect.count = suspects.remove(at: index).count
        }
        if suspects.count >= Self.most { suspects = [] }
        suspects.append(suspect)
    }

    /// Notes that the target has accepted these records; returns the suspects that are now known to be at fault.
    mutating func delivered(_ sequences: [Int64]) -> [Suspect] {
        guard !suspects.isEmpty else { return [] }
        suspects.removeAll { sequences.contains($0.sequence) }
        for index in suspects.indices where suspects[index].isOpen {
            suspects[index].count += 1
            suspects[index].isOpen = false
        }
        defer { suspects.removeAll { $0.count >= Self.enough } }
        return suspects.filter { $0.count >= Self.enough }
    }

    /// Marks all suspects for another attempt, although the target has accepted no record; their last refusals do not
    /// count.
    mutating func reopen() {
        for index in suspects.indices { suspects[index].isOpen = false }
    }

    private static let enough = 2
    /// The maximum number of suspects.
    ///
    /// A server that is out of order for days refuses one more record after each pause of 5 min. At this number trackerd
    /// empties the list.
    private static let most = 1000
}

/// Counts how often the server fails on the same record.
///
/// Most failures of a server are temporary. But a server may fail each time that it receives a certain record, and this
/// record would block all later records. Five failures in a row on the same record therefore count as a refusal of this
/// record.
struct Crashes: Sendable, Hashable {
    private var sequence: Int64?
    private var count = 0

    /// Counts a failure for a batch; returns whether its only record now counts as refused.
    mutating func isAtFault(_ sequences: [Int64]) -> Bool {
        guard sequences.count == 1 else { return false }
        count = sequence == sequences.first ? count + 1 : 1
        sequence = sequences.first
        guard count >= Self.enough else { return false }
        self = Crashes()
        return true
    }

    private static let enough = 5
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

    /// Notes that the server refused a batch of this size, and halves the next batch.
    ///
    /// After further refusals a batch contains only the record at fault.
    mutating func refused(_ count: Int) {
        ceiling = max(1, count / 2)
        current = ceiling
    }

    mutating func culpritFound() { ceiling = maximum }
}
