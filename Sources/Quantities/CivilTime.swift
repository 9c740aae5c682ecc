/// What calendar and clock on the wall show: a day and a time of day, without a zone.
public struct CivilTime: Sendable, Hashable, CustomStringConvertible {
    /// The day.
    public let date: CivilDate
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int
    /// The second, 0 to 59.
    public let second: Int

    /// Names a moment on the wall clock.
    public init(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Makes the moment so many seconds after the wall clock showed the start of 1970.
    public init(secondsSince1970 seconds: Int64) {
        let days = floorDivide(seconds, Self.secondsADay)
        let rest = Int(seconds - days * Self.secondsADay)
        self.init(
            CivilDate(daysSince1970: Int(days)), hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60)
    }

    /// How many seconds a wall clock that is never put forward or back has shown since the start of 1970.
    public var secondsSince1970: Int64 {
        Int64(date.daysSince1970) * Self.secondsADay + Int64(hour * 3600 + minute * 60 + second)
    }

    /// The minute of the day, 0 to 1439.
    public var minuteOfDay: Int { hour * 60 + minute }

    /// ISO 8601 without a zone, such as `2026-01-31T07:30:00`.
    public var description: String { "\(date)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }

    private static let secondsADay: Int64 = 86_400
}
