internal import CLinux
internal import Delivery
internal import Quantities

/// A calendar month in UTC, such as 2026-11.
struct CalendarMonth: Sendable, Hashable, CustomStringConvertible {
    private let year: Int
    private let month: Int

    init(_ time: Timestamp) {
        let day = CivilDate(daysSince1970: Int((Double(time.milliseconds) / 86_400_000).rounded(.down)))
        (year, month) = (day.year, day.month)
    }

    /// The time at which the next month begins.
    var end: Timestamp {
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return Timestamp(milliseconds: Int64(next.daysSince1970) * 86_400_000)
    }

    /// ISO 8601, such as `2026-11`.
    var description: String { String(CivilDate(year: year, month: month, day: 1).description.dropLast(3)) }
}

/// Counts the traffic of one target, and compares it with the budget of the month.
struct TrafficAccount {
    private let target: String
    private let queue: any DeliveryQueue
    private var budget: TrafficBudget
    private var meter = TrafficMeter()

    init(of target: String, limit: Int64, in queue: any DeliveryQueue) {
        (self.target, self.queue) = (target, queue)
        budget = TrafficBudget(limit: limit)
    }

    /// The month to which the count belongs; nil before the first count.
    var month: CalendarMonth? { budget.month }
    var isUsedUp: Bool { budget.isUsedUp }

    /// Why trackerd may send nothing more in this month; nil if it may.
    var obstacle: String? {
        isUsedUp ? month.map { "the budget of \(budget.limit) bytes for \($0) is used up" } : nil
    }

    /// Adds what has passed through the sockets since the last call.
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

/// The number of bytes that a target may send and receive in a month, and the number that it has used.
struct TrafficBudget: Sendable, Hashable {
    let limit: Int64
    private(set) var month: CalendarMonth?
    private var stored: Int64 = 0
    private var unstored: Int64 = 0

    /// With this limit, trackerd does not write to the disk after every upload. If the program is killed, the count
    /// loses about this number of bytes at most.
    private static let storedAtOnce: Int64 = 65_536

    init(limit: Int64) { self.limit = limit }

    /// Whether trackerd may send nothing more in this month.
    var isUsedUp: Bool { stored + unstored >= limit }

    var isStoringDue: Bool { unstored >= Self.storedAtOnce || unstored > 0 && isUsedUp }

    /// Begins a month; `stored` is the number of bytes that the queue has stored for this month.
    mutating func begin(_ month: CalendarMonth, stored: Int64) {
        (self.month, self.stored, unstored) = (month, stored, 0)
    }

    mutating func add(_ bytes: Int64) { unstored += bytes }

    /// Returns the number of bytes that are not stored yet, and from now on counts them as stored.
    mutating func takeUnstored() -> Int64 {
        defer { (stored, unstored) = (stored + unstored, 0) }
        return unstored
    }
}

/// Counts the bytes that the connections of one target's transport send and receive on the network.
///
/// If a connection ends, the last bytes of this connection may be missing from the count.
struct TrafficMeter {
    /// The bytes of each open connection, under the number of its socket.
    private var counts: [UInt64: UInt64] = [:]

    /// The maximum number of stored connections; a target has one or two.
    private static let most = 16

    /// Returns the number of bytes that passed through these sockets since the last call.
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
