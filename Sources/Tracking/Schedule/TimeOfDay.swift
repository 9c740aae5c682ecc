/// A minute of the day on the wall clock, from 00:00 to 24:00.
package struct TimeOfDay: Sendable, Hashable, Codable, Comparable {
    /// Minutes since midnight, from 0 to 1440.
    package let minutes: Int

    /// Makes a time of day; nothing when it is none.
    package init?(hour: Int, minute: Int) {
        guard (0...24).contains(hour), (0...59).contains(minute), hour * 60 + minute <= 1440 else { return nil }
        minutes = hour * 60 + minute
    }

    /// Reads `07:30`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        self.init(hour: hour, minute: minute)
    }

    private init(minutes: Int) { self.minutes = minutes }

    /// 00:00.
    package static let startOfDay = TimeOfDay(minutes: 0)
    /// 24:00.
    package static let endOfDay = TimeOfDay(minutes: 1440)

    /// Whether `left` is earlier.
    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minutes < right.minutes }
}
