internal import Delivery
package import Tracking

/// The queue of the upload thread: the records on disk, and those that wait in memory while the disk accepts no data.
package final class CombinedQueue: DeliveryQueue {
    private let table: DeliveryTable
    private let memory: UncommittedRecords
    private let alarm: QueueAlarm
    /// By target, what was passed over while the disk accepted no data.
    private var passed: [String: PassedRecords] = [:]
    /// Bytes that the table does not contain yet.
    private var unstoredTraffic: [Bill: Int64] = [:]

    private struct Bill: Hashable {
        let target: String
        let month: String
    }

    /// Opens the file on first use. `alarm` contains the uncommitted records, and rings if the file is damaged.
    package init(path: String, alarm: QueueAlarm) {
        table = DeliveryTable(path: path, alarm: alarm)
        memory = alarm.uncommitted
        self.alarm = alarm
    }

    /// Moves all commits from the log into the file; call this at the end of the thread.
    package func close() { table.close() }

    package func newest(awaiting target: String, before sequence: Int64) throws(StoreError) -> StoredRecord? {
        try storeOutcomes(for: target)
        switch memory.newest(before: sequence, for: target) {
        case .awaits(let record): return record
        case .finished: return nil
        case .none:
            let newest = try table.newest(
                awaiting: target, before: sequence, unless: passed[target] ?? PassedRecords())
            return newest.flatMap { memory.hasOutcome($0.sequence, for: target) ? nil : $0 }
        }
    }

    package func oldest(
        awaiting target: String, limit: Int, excluding: [Int64]
    ) throws(StoreError) -> [StoredRecord] {
        try storeOutcomes(for: target)
        let excluding = excluding + memory.outcomes(for: target).map(\.sequence)
        let excluded = Set(excluding)
        do throws(StoreError) {
            let found = try table.oldest(
                awaiting: target, limit: limit, excluding: excluding, unless: passed[target] ?? PassedRecords())
            return found + memory.awaiting(target, limit: limit - found.count, excluding: excluded)
        } catch {
            // A disk that accepts no data may also fail to return data.
            let found = memory.awaiting(target, limit: limit, excluding: excluded)
            guard !found.isEmpty else { throw error }
            return found
        }
    }

    package func markDelivered(_ sequences: [Int64], to target: String) throws(StoreError) {
        let onDisk = memory.finish(sequences, for: target)
        if !onDisk.isEmpty { try table.markDelivered(onDisk, to: target) }
    }

    package func setAside(_ sequence: Int64, for target: String, reason: String) throws(StoreError) {
        guard !memory.finish([sequence], for: target, .refused(reason: reason)).isEmpty else { return }
        try table.setAside(sequence, for: target, reason: reason)
    }

    package func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws(StoreError) -> Int {
        let count = memory.passOver(through: sequence, keepingStops: keepingStops, for: target)
        guard memory.isOffering else {
            return try count + table.passOver(through: sequence, keepingStops: keepingStops, for: target)
        }
        var known = passed[target] ?? PassedRecords()
        // A disk that accepts no data may also fail to return data. Then the report to the owner counts too few records.
        let onDisk = try? table.passable(
            through: sequence, keepingStops: keepingStops, for: target, unless: known)
        // The numbers of the records in memory may still change.
        known.add(through: min(sequence, (memory.firstSequence ?? .max) - 1), keepingStops: keepingStops)
        passed[target] = known
        return count + (onDisk ?? []).count { !memory.hasOutcome($0, for: target) }
    }

    package func accept(_ order: StoredOrder) throws(StoreError) -> OrderAcceptance {
        let acceptance = try table.accept(order)
        if acceptance == .stored { alarm.noteOrder() }
        return acceptance
    }

    package func takeUnreadable() -> [Int64] { table.takeUnreadable() }

    package func traffic(of target: String, in month: String) throws(StoreError) -> Int64 {
        try table.traffic(of: target, in: month) + (unstoredTraffic[Bill(target: target, month: month)] ?? 0)
    }

    package func addTraffic(_ bytes: Int64, of target: String, in month: String) throws(StoreError) {
        let bill = Bill(target: target, month: month)
        unstoredTraffic[bill, default: 0] += bytes
        guard !memory.isOffering else { return }
        try table.addTraffic(unstoredTraffic[bill] ?? 0, of: target, in: month)
        unstoredTraffic[bill] = nil
    }

    private func storeOutcomes(for target: String) throws(StoreError) {
        guard !memory.isOffering else { return }
        try storeOutcomes(of: memory.outcomes(for: target), target)
        guard let records = passed[target] else { return }
        for (last, keepingStops) in [(records.last, false), (records.lastExceptStops, true)] where last > .min {
            _ = try table.passOver(through: last, keepingStops: keepingStops, for: target)
        }
        passed[target] = nil
    }

    private func storeOutcomes(
        of outcomes: [(sequence: Int64, outcome: UncommittedRecords.Outcome)], _ target: String
    ) throws(StoreError) {
        guard !outcomes.isEmpty else { return }
        let finished = outcomes.filter { $0.outcome == .finished }.map(\.sequence)
        if !finished.isEmpty { try table.markDelivered(finished, to: target) }
        for case (let sequence, .refused(let reason)) in outcomes {
            try table.setAside(sequence, for: target, reason: reason)
        }
        memory.forget(outcomes.map(\.sequence), of: target)
    }
}
