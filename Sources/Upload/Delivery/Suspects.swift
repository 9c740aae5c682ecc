//  How a refusal is traced to the record at fault: smaller batches until it is alone, then a second refusal.

/// Records that the target has refused, one by one, until it is clear which is at fault, the record or the target.
///
/// A refusal counts against a record once the target has accepted another record after it; the second refusal that counts
/// sets the record aside. If the target accepts nothing, the target is out of order, and no record is set aside.
struct Suspects: Sendable, Hashable {
    /// A record that was refused.
    struct Suspect: Sendable, Hashable {
        let sequence: Int64
        /// The last answer of the target.
        var reason: String
        /// The refusals that count.
        var count = 0
        /// Whether the target has accepted nothing since the last refusal.
        var isOpen = true
    }

    private var suspects: [Suspect] = []

    /// Records that are not sent again before the target has accepted another one.
    var open: [Int64] { suspects.filter(\.isOpen).map(\.sequence) }

    /// The target's last answer.
    var lastReason: String { suspects.last(where: \.isOpen)?.reason ?? "" }

    /// Whether the target refuses everything: two records for the first time, and none accepted in between.
    var showOutage: Bool { suspects.count { $0.isOpen && $0.count == 0 } > 1 }

    /// Whether the record was refused, and is therefore sent by itself.
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

    /// The target has accepted these records; returns the suspects that are thereby proved to be at fault.
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

    /// Only suspects are left: they are sent again, and no refusal counts.
    mutating func reopen() {
        for index in suspects.indices { suspects[index].isOpen = false }
    }

    private static let enough = 2
    /// A server that is out of order for days gets a record after each pause of 5 min; then the list restarts.
    private static let most = 1000
}

/// The number of records in one request: grows while the link is fast, shrinks if it is slow or the server refuses.
struct BatchSize: Sendable, Hashable {
    /// The size of the next request.
    private(set) var current: Int
    private let maximum: Int
    /// The largest size that was not refused; back to the maximum once the record at fault is found.
    private var ceiling: Int

    private static let first = 10
    /// A request that took this long is too big for the link.
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

    /// The request was lost with the connection: a smaller one may pass.
    mutating func failed() { current = max(1, current / 2) }

    /// The server refuses the batch: the next one is half as large, until the record at fault is alone.
    mutating func refused(_ count: Int) {
        ceiling = max(1, count / 2)
        current = ceiling
    }

    mutating func culpritFound() { ceiling = maximum }
}
