package import Quantities

/// A calendar month in UTC, such as 2026-11.
package struct CalendarMonth: Sendable, Hashable, CustomStringConvertible {
    package let year: Int
    package let month: Int

    package init(_ time: Timestamp) {
        let day = CivilDate(daysSince1970: Int((Double(time.milliseconds) / 86_400_000).rounded(.down)))
        (year, month) = (day.year, day.month)
    }

    /// The time at which the next month begins.
    package var end: Timestamp {
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return Timestamp(milliseconds: Int64(next.daysSince1970) * 86_400_000)
    }

    /// ISO 8601, such as `2026-11`.
    package var description: String { String(CivilDate(year: year, month: month, day: 1).description.dropLast(3)) }
}

/// The number of bytes that a target may send and receive in a month, and the number that it has used.
struct TrafficBudget: Sendable, Hashable {
    let limit: Int64
    /// The month to which the counts belong; nil before the first count.
    private(set) var month: CalendarMonth?
    private var stored: Int64 = 0
    private var unstored: Int64 = 0

    /// trackerd stores the count as soon as this number of bytes is not stored yet.
    ///
    /// With this limit, trackerd does not write to the disk after every upload. If the program is killed, the count
    /// loses about this number of bytes at most.
    private static let storedAtOnce: Int64 = 65_536

    init(limit: Int64) { self.limit = limit }

    /// The number of bytes in this month.
    var used: Int64 { stored + unstored }

    /// Whether trackerd may send nothing more in this month.
    var isUsedUp: Bool { used >= limit }

    /// Whether trackerd should store the count now.
    var isStoringDue: Bool { unstored >= Self.storedAtOnce || unstored > 0 && isUsedUp }

    /// Begins a month; `stored` is the number of bytes that the queue has stored for this month.
    mutating func begin(_ month: CalendarMonth, stored: Int64) {
        (self.month, self.stored, unstored) = (month, stored, 0)
    }

    mutating func add(_ bytes: Int64) { unstored += bytes }

    /// Returns the number of bytes that are not stored yet, and from now on counts them as stored.
    mutating func takeUnstored() -> Int64 {
        defer { (stored, unstored) = (used, 0) }
        return unstored
    }
}
