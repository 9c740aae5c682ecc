package import Delivery
package import Tracking

/// The duties of every `DeliveryQueue`, one case per clause; run all cases against each implementation.
///
///     @Test("The queue fulfils the contract.", arguments: DeliveryQueueContract.allCases)
///     func contract(clause: DeliveryQueueContract) throws {
///         #expect(try clause.violations { records in try MyQueue(holding: records) } == [])
///     }
package enum DeliveryQueueContract: String, Sendable, CaseIterable {
    case emptyQueueHasNothing
    case oldestComeInOrderUpToTheLimit
    case oldestLeavesOutWhatIsExcluded
    case newestIsTheLastOfAllOnlyWhileItAwaits
    case deliveredIsDoneForThatTargetOnly
    case deliveringTwiceIsHarmless
    case setAsideIsOutOfTheWay
    case newestTellsAPlace
    case passedOverIsOutOfTheWayButForStops
    case trafficIsCountedByTargetAndMonth
    case orderIsAcceptedOnceByTarget

    /// Makes a queue with the targets `home` and `work` and these undelivered records.
    package typealias Maker = ([StoredRecord]) throws -> any DeliveryQueue

    package func violations(_ make: Maker) throws -> [String] {
        let records = SampleRecords.many(5)
        var ledger = Ledger()
        switch self {
        case .emptyQueueHasNothing: try checkEmpty(make([]), &ledger)
        case .oldestComeInOrderUpToTheLimit: try checkOrder(make(records), &ledger)
        case .oldestLeavesOutWhatIsExcluded: try checkExclusion(make(records), records, &ledger)
        case .newestIsTheLastOfAllOnlyWhileItAwaits: try checkNewest(make(records), records, &ledger)
        case .deliveredIsDoneForThatTargetOnly: try checkDelivery(make(records), &ledger)
        case .deliveringTwiceIsHarmless: try checkTwice(make(records), &ledger)
        case .setAsideIsOutOfTheWay: try checkAside(make(records), &ledger)
        case .newestTellsAPlace: try checkPlace(make(records + [SampleRecords.placeless(6)]), records, &ledger)
        case .passedOverIsOutOfTheWayButForStops:
            try checkPassing(make(records.map { $0.sequence == 2 ? SampleRecords.stop(2) : $0 }), &ledger)
        case .trafficIsCountedByTargetAndMonth: try checkTraffic(make([]), &ledger)
        case .orderIsAcceptedOnceByTarget: try checkOrders(make([]), &ledger)
        }
        return ledger.violations
    }

    private struct Ledger {
        var violations: [String] = []

        mutating func expect<Value: Equatable>(_ what: String, _ got: Value, _ wanted: Value) {
            if got != wanted { violations.append("\(what): \(got) instead of \(wanted)") }
        }
    }

    private func checkOrders(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        func order(_ target: String, _ id: String) -> StoredOrder {
            StoredOrder(target: target, id: id, body: "{}", expires: nil)
        }
        try ledger.expect("the first", queue.accept(order("home", "a")), .stored)
        try ledger.expect("a repetition", queue.accept(order("home", "a")), .known)
        try ledger.expect("another target", queue.accept(order("work", "a")), .stored)
        for number in 2...64 { _ = try queue.accept(order("home", "\(number)")) }
        try ledger.expect("one too many", queue.accept(order("home", "b")), .full)
        try ledger.expect("another target meanwhile", queue.accept(order("work", "b")), .stored)
    }

    private func checkEmpty(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try ledger.expect("newest", queue.newest(awaiting: "home"), nil)
        try ledger.expect("oldest", queue.oldest(awaiting: "home", limit: 10, excluding: []), [])
        try ledger.expect("count", queue.oldest(awaiting: "home", limit: 100, excluding: []).count, 0)
    }

    private func checkOrder(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try ledger.expect("three", sequences(of: queue, limit: 3), [1, 2, 3])
        try ledger.expect("more than there are", sequences(of: queue, limit: 9), [1, 2, 3, 4, 5])
        try ledger.expect("count", queue.oldest(awaiting: "home", limit: 100, excluding: []).count, 5)
    }

    private func checkExclusion(_ queue: any DeliveryQueue, _ all: [StoredRecord], _ ledger: inout Ledger) throws {
        let some = try queue.oldest(awaiting: "home", limit: 2, excluding: [1, 3, 99])
        ledger.expect("the others, up to the limit", some, [all[1], all[3]])
        try ledger.expect("count does not care", queue.oldest(awaiting: "home", limit: 100, excluding: []).count, 5)
    }

    private func checkNewest(_ queue: any DeliveryQueue, _ all: [StoredRecord], _ ledger: inout Ledger) throws {
        try ledger.expect("newest", queue.newest(awaiting: "home"), all.last)
        try queue.markDelivered([5], to: "home")
        try ledger.expect("none, though older ones await", queue.newest(awaiting: "home"), nil)
        try ledger.expect("the other target's", queue.newest(awaiting: "work"), all.last)
    }

    private func checkDelivery(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try queue.markDelivered([5, 2], to: "home")
        try ledger.expect("out of order", sequences(of: queue, limit: 9), [1, 3, 4])
        try ledger.expect("other target", queue.oldest(awaiting: "work", limit: 100, excluding: []).count, 5)
        try queue.markDelivered([1, 3, 4], to: "home")
        try ledger.expect("all of them", queue.oldest(awaiting: "home", limit: 100, excluding: []).count, 0)
    }

    private func checkTwice(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try queue.markDelivered([1, 1], to: "home")
        try queue.markDelivered([1], to: "home")
        try queue.markDelivered([], to: "home")
        try ledger.expect("the rest", sequences(of: queue, limit: 9), [2, 3, 4, 5])
    }

    private func checkAside(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try queue.setAside(2, for: "home", reason: "status 400: it's \"bad\"")
        try queue.setAside(2, for: "home", reason: "again")
        try ledger.expect("the rest", sequences(of: queue, limit: 9), [1, 3, 4, 5])
        try ledger.expect("count", queue.oldest(awaiting: "home", limit: 100, excluding: []).count, 4)
        try ledger.expect("other target", queue.oldest(awaiting: "work", limit: 100, excluding: []).count, 5)
    }

    private func checkPlace(_ queue: any DeliveryQueue, _ all: [StoredRecord], _ ledger: inout Ledger) throws {
        try ledger.expect("newest", queue.newest(awaiting: "home"), all.last)
        try ledger.expect("all of them", sequences(of: queue, limit: 9), [1, 2, 3, 4, 5, 6])
    }

    private func checkPassing(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try queue.markDelivered([3], to: "home")
        try ledger.expect("passed", queue.passOver(through: 4, keepingStops: true, for: "home"), 2)
        try ledger.expect("the rest", sequences(of: queue, limit: 9), [2, 5])
        try ledger.expect("again", queue.passOver(through: 4, keepingStops: true, for: "home"), 0)
        try ledger.expect("stops too", queue.passOver(through: 4, keepingStops: false, for: "home"), 1)
        try ledger.expect("the newest", sequences(of: queue, limit: 9), [5])
        try ledger.expect("other target", queue.oldest(awaiting: "work", limit: 100, excluding: []).count, 5)
    }

    private func checkTraffic(_ queue: any DeliveryQueue, _ ledger: inout Ledger) throws {
        try ledger.expect("at first", queue.traffic(of: "home", in: "2026-11"), 0)
        try queue.addTraffic(1000, of: "home", in: "2026-11")
        try queue.addTraffic(234, of: "home", in: "2026-11")
        try queue.addTraffic(7, of: "home", in: "2026-12")
        try ledger.expect("the sum", queue.traffic(of: "home", in: "2026-11"), 1234)
        try ledger.expect("the next month", queue.traffic(of: "home", in: "2026-12"), 7)
        try ledger.expect("another target", queue.traffic(of: "work", in: "2026-11"), 0)
    }

    private func sequences(of queue: any DeliveryQueue, limit: Int) throws -> [Int64] {
        try queue.oldest(awaiting: "home", limit: limit, excluding: []).map(\.sequence)
    }
}

extension DeliveryQueue {
    /// Returns the newest record with a position if it awaits the target; otherwise nil, even if older records await the
    /// target.
    package func newest(awaiting target: String) throws -> StoredRecord? {
        try newest(awaiting: target, before: .max)
    }
}
