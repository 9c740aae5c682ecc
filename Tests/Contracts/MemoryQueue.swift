internal import Delivery
internal import Synchronization
package import Tracking

/// The simplest queue that fulfils the contract.
///
/// The queue is in memory, and another thread may add records.
package final class MemoryQueue: DeliveryQueue, Sendable {
    /// The error that calls throw while the queue is broken or read-only.
    package struct Broken: Error, CustomStringConvertible {
        package let description = "queue: the disk is full"
    }

    private struct Contents {
        var records: [StoredRecord] = []
        var done: [String: Set<Int64>] = [:]
        var aside: [String: [Int64: String]] = [:]
        var traffic: [String: Int64] = [:]
        var orders: [StoredOrder] = []
        var isBroken = false
        var isReadOnly = false
        var transactions = 0

        func awaits(_ record: StoredRecord, _ target: String) -> Bool {
            done[target]?.contains(record.sequence) != true
        }
    }

    private let contents = Mutex(Contents())

    package init(_ records: [StoredRecord] = []) { contents.withLock { $0.records = records } }

    package func append(_ record: StoredRecord) { contents.withLock { $0.records.append(record) } }

    /// Sets whether every call that can throw does so.
    package func setBroken(_ isBroken: Bool) { contents.withLock { $0.isBroken = isBroken } }

    /// Sets whether the calls that mark records or accept an order throw.
    package func setReadOnly(_ isReadOnly: Bool) { contents.withLock { $0.isReadOnly = isReadOnly } }

    /// Returns the sequence numbers of the records that were set aside for a target, with the reasons.
    package func aside(for target: String) -> [Int64: String] { contents.withLock { $0.aside[target] ?? [:] } }

    /// The number of transactions that marked records as delivered, set aside or skipped.
    package var transactions: Int { contents.withLock { $0.transactions } }

    /// Always empty, because every record in memory can be read.
    package func takeUnreadable() -> [Int64] { [] }

    package var orders: [StoredOrder] { contents.withLock { $0.orders } }

    /// Accepts up to 64 orders of a target.
    package func accept(_ order: StoredOrder) throws -> OrderAcceptance {
        try read { _ in }
        return try contents.withLock { contents in
            if contents.isReadOnly { throw Broken() }
            if contents.orders.contains(where: { $0.target == order.target && $0.id == order.id }) { return .known }
            guard contents.orders.count(where: { $0.target == order.target }) < 64 else { return .full }
            contents.orders.append(order)
            return .stored
        }
    }

    package func traffic(of target: String, in month: String) throws -> Int64 {
        try read { $0.traffic["\(target) \(month)"] ?? 0 }
    }

    package func addTraffic(_ bytes: Int64, of target: String, in month: String) throws {
        try read { _ in }
        contents.withLock { $0.traffic["\(target) \(month)", default: 0] += bytes }
    }

    /// Returns the newest record that has a place and a lower sequence number; nil if there is none, or if it does not await
    /// the target.
    package func newest(awaiting target: String, before sequence: Int64) throws -> StoredRecord? {
        try read { contents in
            contents.records.last { $0.record.position != nil && $0.sequence < sequence }
                .flatMap { contents.awaits($0, target) ? $0 : nil }
        }
    }

    package func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws -> [StoredRecord] {
        try read { contents in
            let waiting = contents.records.lazy.filter { contents.awaits($0, target) }
            return Array(waiting.filter { !excluding.contains($0.sequence) }.prefix(limit))
        }
    }

    package func count(awaiting target: String) throws -> Int {
        try read { contents in contents.records.count { contents.awaits($0, target) } }
    }

    package func markDelivered(_ sequences: [Int64], to target: String) throws {
        try read { _ in }
        try contents.withLock { contents in
            if contents.isReadOnly { throw Broken() }
            contents.done[target, default: []].formUnion(sequences)
            contents.transactions += 1
        }
    }

    package func setAside(_ sequence: Int64, for target: String, reason: String) throws {
        try markDelivered([sequence], to: target)
        contents.withLock { $0.aside[target, default: [:]][sequence] = reason }
    }

    package func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws -> Int {
        let missed = try read { contents in
            contents.records.filter {
                $0.sequence <= sequence && contents.awaits($0, target) && !(keepingStops && $0.record.isStop)
            }
        }
        try markDelivered(missed.map(\.sequence), to: target)
        return missed.count
    }

    private func read<Answer: Sendable>(_ body: (Contents) -> Answer) throws -> Answer {
        try contents.withLock { contents in
            if contents.isBroken { throw Broken() }
            return body(contents)
        }
    }
}
