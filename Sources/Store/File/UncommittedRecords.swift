internal import Synchronization
internal import Tracking

/// The records that wait in memory because the disk accepts no data; the upload thread may send them. Only their
/// numbers may still change, because a target must receive the same content each time. The outcomes of deliveries wait
/// here too until the next commit.
final class UncommittedRecords: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The target no longer needs the record.
        case finished
        case refused(reason: String)
    }

    private struct Contents {
        var records: [StoredRecord] = []
        /// The outcomes that `DeliveryTable` does not contain yet, by target and sequence number.
        var outcomes: [String: [Int64: Outcome]] = [:]
        /// True while the disk accepts no data.
        var isOffering = false
        var hasAdditions = false

        func contains(_ sequence: Int64) -> Bool {
            // A binary search finds the record, because the numbers increase.
            var (low, high) = (0, records.count)
            while low < high {
                let middle = (low + high) / 2
                if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
            }
            return low < records.count && records[low].sequence == sequence
        }
    }

    private let contents = Mutex(Contents())

    // MARK: - For the queue

    /// Replaces the records offered before.
    func offer(_ records: [StoredRecord]) {
        contents.withLock { contents in
            if records.last?.sequence != contents.records.last?.sequence { contents.hasAdditions = !records.isEmpty }
            contents.records = records
            contents.isOffering = true
        }
    }

    func add(_ record: StoredRecord) {
        contents.withLock { contents in
            contents.records.append(record)
            contents.hasAdditions = true
        }
    }

    func remove(_ sequences: Set<Int64>) {
        contents.withLock { contents in contents.records.removeAll { sequences.contains($0.sequence) } }
    }

    func committed() {
        contents.withLock { contents in
            guard contents.isOffering else { return }
            (contents.records, contents.isOffering, contents.hasAdditions) = ([], false, false)
        }
    }

    func renumber(by shift: Int64) {
        contents.withLock { contents in
            let moved = Set(contents.records.map(\.sequence))
            contents.records = contents.records.map { record in
                StoredRecord(
                    sequence: record.sequence + shift, uuid: record.uuid, created: record.created, record: record.record
                )
            }
            contents.outcomes = contents.outcomes.mapValues { outcomes in
                Dictionary(
                    outcomes.map { (moved.contains($0.key) ? $0.key + shift : $0.key, $0.value) },
                    uniquingKeysWith: { first, _ in first })
            }
        }
    }

    /// Returns whether the queue has offered further records since the last call.
    func takeAdditions() -> Bool {
        contents.withLock { contents in
            defer { contents.hasAdditions = false }
            return contents.hasAdditions
        }
    }

    /// The offered records that no target needs any more; empty if there are no targets.
    func finished(for targets: [String]) -> Set<Int64> {
        contents.withLock { contents in
            guard let first = targets.first, let finished = contents.outcomes[first] else { return [] }
            return Set(
                finished.keys.filter { sequence in
                    contents.contains(sequence) && targets.allSatisfy { contents.outcomes[$0]?[sequence] == .finished }
                })
        }
    }

    // MARK: - For the upload thread

    var isOffering: Bool { contents.withLock(\.isOffering) }

    func awaiting(_ target: String, limit: Int, excluding: Set<Int64>) -> [StoredRecord] {
        contents.withLock { contents in
            let outcomes = contents.outcomes[target] ?? [:]
            let found = contents.records.lazy.filter { record in
                outcomes[record.sequence] == nil && !excluding.contains(record.sequence)
            }
            return Array(found.prefix(limit))
        }
    }

    var firstSequence: Int64? { contents.withLock { $0.records.first?.sequence } }

    enum Newest {
        case awaits(StoredRecord)
        /// The target no longer needs the record, or the record was set aside for the target.
        case finished
        /// No offered record below the number has the vehicle's position.
        case none
    }

    /// Considers only records with the vehicle's position (`Record.isPlace`).
    func newest(before sequence: Int64, for target: String) -> Newest {
        contents.withLock { contents in
            let newest = contents.records.last { $0.sequence < sequence && $0.record.isPlace }
            guard let newest else { return .none }
            return contents.outcomes[target]?[newest.sequence] == nil ? .awaits(newest) : .finished
        }
    }

    /// Returns the records whose outcome the thread must store now.
    func finish(_ sequences: [Int64], for target: String, _ outcome: Outcome = .finished) -> [Int64] {
        contents.withLock { contents in
            guard contents.isOffering else { return sequences }
            return sequences.filter { sequence in
                let isKept = contents.outcomes[target]?.count ?? 0 < Self.mostOutcomes || contents.contains(sequence)
                if isKept { contents.outcomes[target, default: [:]][sequence] = outcome }
                return !isKept
            }
        }
    }

    /// When a target has this number of outcomes, `finish` notes no more for records on disk.
    private static let mostOutcomes = 20_000

    func passOver(through sequence: Int64, keepingStops: Bool, for target: String) -> Int {
        contents.withLock { contents in
            let passed = contents.records.prefix { $0.sequence <= sequence }.filter { record in
                !(keepingStops && record.record.isStop) && contents.outcomes[target]?[record.sequence] == nil
            }
            for record in passed { contents.outcomes[target, default: [:]][record.sequence] = .finished }
            return passed.count
        }
    }

    /// Sorted by sequence number.
    func outcomes(for target: String) -> [(sequence: Int64, outcome: Outcome)] {
        contents.withLock { contents in
            (contents.outcomes[target] ?? [:]).sorted { $0.key < $1.key }.map { (sequence: $0.key, outcome: $0.value) }
        }
    }

    func hasOutcome(_ sequence: Int64, for target: String) -> Bool {
        contents.withLock { $0.outcomes[target]?[sequence] != nil }
    }

    func forget(_ sequences: [Int64], of target: String) {
        contents.withLock { contents in
            for sequence in sequences { contents.outcomes[target]?[sequence] = nil }
            if contents.outcomes[target]?.isEmpty == true { contents.outcomes[target] = nil }
        }
    }
}
