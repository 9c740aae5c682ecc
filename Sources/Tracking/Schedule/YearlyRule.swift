import Quantities

/// How the clocks of a zone are changed every year, as the last line of its file says.
struct YearlyRule: Sendable, Hashable {
    /// A day of each year and a time on it.
    struct Moment: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// From 1 to 365; the leap day is never counted.
            case withoutLeapDay(Int)
            /// From 0 to 365; the leap day is counted.
            case withLeapDay(Int)
            /// The n-th such weekday of a month, 5 for the last; Sunday is 0.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// Seconds after the midnight with which the day begins; up to a week either way.
        let time: Int64

        /// The moment in that year, in seconds since 1970 as the clock on the wall counts them.
        func secondsSince1970(inYear year: Int) -> Int64 {
            Int64(days(inYear: year)) * 86_400 + time
        }

        private func days(inYear year: Int) -> Int {
            let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
            switch day {
            case .withLeapDay(let number):
                return newYear + number
            case .withoutLeapDay(let number):
                // Day 60 is the first of March in every year.
                let march = CivilDate(year: year, month: 3, day: 1).daysSince1970
                return number < 60 ? newYear + number - 1 : march + number - 60
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1)
                let next = month == 12 ? (year: year + 1, month: 1) : (year: year, month: month + 1)
                let end = CivilDate(year: next.year, month: next.month, day: 1).daysSince1970
                let day = first.daysSince1970 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
                return day < end ? day : day - 7
            }
        }
    }

    /// The part of the year in which the clocks are not at standard time.
    struct Season: Sendable, Hashable {
        let offset: Int64
        /// In standard time.
        let begins: Moment
        /// In the time of the season.
        let ends: Moment
    }

    /// Seconds east of UTC.
    let standard: Int64
    let season: Season?

    /// The span in which that second since 1970 lies.
    func span(at second: Int64) -> ZoneRules.Span {
        guard let season else { return ZoneRules.Span(offset: standard, end: nil) }
        let year = CivilTime(secondsSince1970: second + standard).date.year
        // The moments of a year may lie up to a week outside it.
        let changes = (year - 1...year + 1).flatMap { year in
            [
                ZoneRules.Transition(
                    time: season.ends.secondsSince1970(inYear: year) - season.offset, offset: standard),
                ZoneRules.Transition(
                    time: season.begins.secondsSince1970(inYear: year) - standard, offset: season.offset),
            ]
        }
        // A season that ends as the next begins lasts for ever (RFC 9636, section 3.3): the beginning counts.
        let ordered = changes.sorted {
            $0.time != $1.time ? $0.time < $1.time : $0.offset == standard && $1.offset != standard
        }
        return ZoneRules.Span(
            offset: ordered.last { $0.time <= second }?.offset ?? standard,
            end: ordered.first { $0.time > second }?.time)
    }
}
