/// Records that the target has refused, one by one, until it is clear what is at fault: the record or the target.
///
/// A refusal counts against a record once the target has taken another record after it; the second refusal that counts
/// sets the record aside. A target that takes nothing is out of order, and no record is set aside because of it.
struct Suspects: Sendable, Hashable {
    /// A record that was refused.
    struct Suspect: Sendable, Hashable {
        let sequence: Int64
        /// The last answer of the target.
        var reason: String
        /// The refusals that count.
        var count = 0
        /// Whether the target has taken nothing since the last refusal.
        var isOpen = true
    }

    private var suspects: [Suspect] = []

    /// Records that are not sent again before the target has taken another one.
    var open: [Int64] { suspects.filter(\.isOpen).map(\.sequence) }

    /// What the target answered last.
    var lastReason: String { suspects.last(where: \.isOpen)?.reason ?? "" }

    /// Whether the target refuses what it gets: two records that it had not refused before, and nothing taken in between.
    var showOutage: Bool { suspects.count { $0.isOpen && $0.count == 0 } > 1 }

    /// Whether a record is sent by itself, so that its refusal concerns no other one.
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

    /// The target has taken these records; returns the ones that it has refused for good.
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

    /// Nothing but these records is left: they are tried again, and no refusal counts.
    mutating func reopen() {
        for index in suspects.indices { suspects[index].isOpen = false }
    }

    private static let enough = 2
    /// A server that is out of order for days gets a record after each pause of 5 min; then it begins anew.
    private static let most = 1000
}
