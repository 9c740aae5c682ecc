internal import CLinux
internal import Delivery
internal import Quantities

/// A month in UTC, such as 2026-11.
struct CalendarMonth: Sendable, Hashable, CustomStringConvertible {
    private let year: Int
    private let month: Int

    init(_ time: Timestamp) {
        let day = CivilDate(daysSince1970: Int((Double(time.milliseconds) / 86_400_000).rounded(.down)))
        (year, month) = (day.year, day.month)
    }

    var end: Timestamp {
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return Timestamp(milliseconds: Int64(next.daysSince1970) * 86_400_000)
    }

    var description: String { String(CivilDate(year: year, month: month, day: 1).description.dropLast(3)) }
}

/// Counts a target's bytes in the month, and compares them with its budget.
struct TrafficAccount {
    private let target: String
    private let queue: any DeliveryQueue
    private var budget: TrafficBudget
    private var meter = TrafficMeter()

    init(of target: String, limit: Int64, in queue: any DeliveryQueue) {
        (self.target, self.queue) = (target, queue)
        budget = TrafficBudget(limit: limit)
    }

    /// Nil before the first count.
    var month: CalendarMonth? { budget.month }
    var isUsedUp: Bool { budget.isUsedUp }

    var obstacle: String? {
        isUsedUp ? month.map { "the budget of \(budget.limit) bytes for \($0) is used up" } : nil
    }

    /// Adds the bytes through the sockets since the last call.
    mutating func count(_ watches: [Watch], at time: Timestamp) throws {
        let bytes = meter.measure(watches)
        let month = CalendarMonth(time)
        if budget.month != month {
            try store()
            budget.begin(month, stored: try queue.traffic(of: target, in: "\(month)"))
        }
        budget.add(bytes)
        if budget.isStoringDue { try store() }
    }

    mutating func store() throws {
        guard let month = budget.month, case let bytes = budget.takeUnstored(), bytes > 0 else { return }
        try queue.addTraffic(bytes, of: target, in: "\(month)")
    }
}

struct TrafficBudget: Sendable, Hashable {
    let limit: Int64
    private(set) var month: CalendarMonth?
    private var stored: Int64 = 0
    private var unstored: Int64 = 0

    /// The bytes are stored in portions of this size, so that not every upload writes to the disk; a kill loses about one.
    private static let storedAtOnce: Int64 = 65_536

    init(limit: Int64) { self.limit = limit }

    var isUsedUp: Bool { stored + unstored >= limit }

    var isStoringDue: Bool { unstored >= Self.storedAtOnce || unstored > 0 && isUsedUp }

    /// `stored`: bytes that the queue has counted in this month.
    mutating func begin(_ month: CalendarMonth, stored: Int64) {
        (self.month, self.stored, unstored) = (month, stored, 0)
    }

    mutating func add(_ bytes: Int64) { unstored += bytes }

    /// The returned bytes count as stored from now on.
    mutating func takeUnstored() -> Int64 {
        defer { (stored, unstored) = (stored + unstored, 0) }
        return unstored
    }
}

/// Counts bytes of TCP with their headers; the last bytes of a connection may be missing.
struct TrafficMeter {
    /// Bytes by socket number.
    private var counts: [UInt64: UInt64] = [:]

    /// The limit of entries in `counts`, which keeps closed sockets too; a target has one or two open ones.
    private static let most = 16

    /// Returns the bytes since the last call.
    mutating func measure(_ watches: [Watch]) -> Int64 {
        var sum: UInt64 = 0
        for watch in watches {
            var (number, bytes): (UInt64, UInt64) = (0, 0)
            guard clinux_tcp_traffic(watch.descriptor, &number, &bytes) else { continue }
            let before = counts[number] ?? 0
            sum += bytes >= before ? bytes - before : bytes
            if counts.count >= Self.most { counts = [:] }
            counts[number] = bytes
        }
        return Int64(clamping: sum)
    }
}
