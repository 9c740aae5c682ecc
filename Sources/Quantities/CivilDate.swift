/// A day of the proleptic Gregorian calendar.
///
/// The conversions are the well-known ones for a year that begins in March, so that the leap day comes last:
/// 146 097 days are exactly 400 years.
public struct CivilDate: Sendable, Hashable, CustomStringConvertible {
    /// The year, astronomically numbered (the year before 1 is 0).
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// Names a day.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the day that lies this many days after 1970-01-01; negative for days before.
    public init(daysSince1970 days: Int) {
        let shifted = days + Self.daysFrom0000March
        let era = Int(floorDivide(Int64(shifted), Int64(Self.daysAnEra)))
        let dayOfEra = shifted - era * Self.daysAnEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative for days before.
    public var daysSince1970: Int {
        let fromMarch = month > 2 ? month - 3 : month + 9
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Int(floorDivide(Int64(shiftedYear), 400))
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysAnEra + dayOfEra - Self.daysFrom0000March
    }

    /// ISO 8601, such as `2026-01-31`.
    public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    private static let daysAnEra = 146_097
    private static let daysFrom0000March = 719_468
}
