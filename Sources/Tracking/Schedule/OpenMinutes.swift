/// The minutes of a day, from 0 to 1439, at which tracking is allowed.
struct OpenMinutes: Sendable, Hashable {
    /// One word an hour, one bit a minute.
    private var hours = [UInt64](repeating: 0, count: 24)

    /// Takes the minutes for which `isOpen` holds.
    init(where isOpen: (Int) -> Bool) {
        for minute in 0..<1440 where isOpen(minute) { hours[minute / 60] |= 1 << UInt64(minute % 60) }
    }

    func contains(_ minute: Int) -> Bool { hours[minute / 60] & 1 << UInt64(minute % 60) != 0 }

    /// The first minute from that one on that is open, or that is not.
    func first(from minute: Int, isOpen: Bool) -> Int? {
        var skipped = UInt64(minute % 60)
        for hour in minute / 60..<24 {
            let wanted = (isOpen ? hours[hour] : ~hours[hour] & Self.wholeHour) & (UInt64.max << skipped)
            if wanted != 0 { return hour * 60 + wanted.trailingZeroBitCount }
            skipped = 0
        }
        return nil
    }

    private static let wholeHour: UInt64 = 1 << 60 - 1
}
