/// A day of the proleptic Gregorian calendar. The conversions let the year begin in March, so the leap day is its last;
/// 400 years are exactly 146 097 days.
package struct CivilDate: Sendable, Hashable, CustomStringConvertible {
    /// The year in astronomical numbering, in which the year before 1 is 0.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// The day must exist in the calendar.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Nil if the calendar has no such day, such as the 31st of April.
    package init?(validYear year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(year: year, month: month, day: day)
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    package init(daysSince1970 days: Int) {
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

    /// The days from 1970-01-01; negative before it.
    package var daysSince1970: Int {
        let fromMarch = month > 2 ? month - 3 : month + 9
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Int(floorDivide(Int64(shiftedYear), 400))
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysAnEra + dayOfEra - Self.daysFrom0000March
    }

    /// The day of the week, from 0 for Sunday to 6 for Saturday.
    package var weekday: Int {
        let sinceSunday = daysSince1970 + Self.weekdayOf1970
        return sinceSunday - Int(floorDivide(Int64(sinceSunday), 7)) * 7
    }

    /// ISO 8601, such as `2026-01-31`.
    package var description: String {
        var text: [UInt8] = []
        text.append(self)
        return String(decoding: text, as: UTF8.self)
    }

    private static let weekdayOf1970 = 4
    private static let daysAnEra = 146_097
    private static let daysFrom0000March = 719_468
}

extension [UInt8] {
    mutating func append(_ date: CivilDate) {
        append(date.year, digits: 4)
        append(UInt8(ascii: "-"))
        append(date.month, digits: 2)
        append(UInt8(ascii: "-"))
        append(date.day, digits: 2)
    }
}
