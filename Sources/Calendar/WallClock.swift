package import Quantities

/// A date and time as a calendar and a wall clock show them, without a zone.
package struct CivilTime: Sendable, Hashable, CustomStringConvertible {
    package let date: CivilDate
    package let hour: Int
    package let minute: Int
    package let second: Int

    package init(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    package init(secondsSince1970 seconds: Int64) {
        let days = floorDivide(seconds, Self.secondsADay)
        let rest = Int(seconds - days * Self.secondsADay)
        self.init(CivilDate(daysSince1970: Int(days)), hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60)
    }

    package var secondsSince1970: Int64 {
        Int64(date.daysSince1970) * Self.secondsADay + Int64(hour * 3600 + minute * 60 + second)
    }

    /// 0 to 1439.
    package var minuteOfDay: Int { hour * 60 + minute }

    /// ISO 8601 without a zone, such as `2026-01-31T07:30:00`.
    package var description: String { "\(date)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }

    private static let secondsADay: Int64 = 86_400
}

/// A time on the wall clock, from 00:00 to 24:00.
package struct TimeOfDay: Sendable, Hashable, Codable, Comparable {
    /// The minutes since midnight, from 0 to 1440.
    package let minutes: Int

    package init?(hour: Int, minute: Int) {
        guard (0...24).contains(hour), (0...59).contains(minute), hour * 60 + minute <= 1440 else { return nil }
        minutes = hour * 60 + minute
    }

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        self.init(hour: hour, minute: minute)
    }

    package var text: String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private init(minutes: Int) { self.minutes = minutes }

    package static let startOfDay = TimeOfDay(minutes: 0)
    package static let endOfDay = TimeOfDay(minutes: 1440)

    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minutes < right.minutes }
}
