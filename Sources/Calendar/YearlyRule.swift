import Quantities

/// The POSIX rule at the end of a zone's file.
struct YearlyRule: Sendable, Hashable {
    struct Moment: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// The day from 1 to 365; the leap day never counts.
            case withoutLeapDay(Int)
            /// The day from 0 to 365; the leap day counts.
            case withLeapDay(Int)
            /// `week` 5 is the last occurrence, and `weekday` 0 is Sunday.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        /// Seconds after the start of the day, negative before it; at most a week in either direction.
        let time: Int64

        /// Seconds since 1970 on the wall clock.
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

    /// The time of the year in which the clocks do not show standard time.
    struct Season: Sendable, Hashable {
        let offset: Int64
        /// In standard time.
        let begins: Moment
        /// In the time of the season.
        let ends: Moment
    }

    let standard: Int64
    let season: Season?

    func span(at second: Int64) -> TimeZoneRules.Span {
        guard let season else { return TimeZoneRules.Span(offset: standard, end: nil) }
        let year = CivilTime(secondsSince1970: second + standard).date.year
        // A rule's moment may be up to a week before or after its year.
        let changes = (year - 1...year + 1).flatMap { year in
            [
                TimeZoneRules.Transition(
                    time: season.ends.secondsSince1970(inYear: year) - season.offset, offset: standard),
                TimeZoneRules.Transition(
                    time: season.begins.secondsSince1970(inYear: year) - standard, offset: season.offset),
            ]
        }
        // The beginning is sorted last: a season that ends as the next begins lasts for ever (RFC 9636, section 3.3).
        let ordered = changes.sorted {
            $0.time != $1.time ? $0.time < $1.time : $0.offset == standard && $1.offset != standard
        }
        return TimeZoneRules.Span(
            offset: ordered.last { $0.time <= second }?.offset ?? standard,
            end: ordered.first { $0.time > second }?.time)
    }
}

extension YearlyRule {
    /// A POSIX TZ value such as `CET-1CEST,M3.5.0,M10.5.0/3`; times of day may have up to 167 hours. Nil also for a
    /// season without dates, which POSIX leaves to the system.
    init?(_ text: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.skipName(), let west = reader.time(hours: 0...24) else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            season = nil
            return
        }
        guard reader.skipName() else { return nil }
        // The default is one hour ahead of standard time.
        var offset = standard + 3600
        if !reader.isAt(",") {
            guard let west = reader.time(hours: 0...24) else { return nil }
            offset = -west
        }
        guard let begins = reader.moment(), let ends = reader.moment(), reader.isAtEnd else { return nil }
        season = Season(offset: offset, begins: begins, ends: ends)
    }
}

private struct Reader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func isAt(_ character: Unicode.Scalar) -> Bool { next == UInt8(ascii: character) }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        index += 1
        return true
    }

    /// A name consists of letters, or of anything between angle brackets.
    mutating func skipName() -> Bool {
        let start = index
        if take("<") {
            while let next, next != UInt8(ascii: ">") { index += 1 }
            return take(">") && index > start + 2
        }
        while let next, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next & ~0x20) { index += 1 }
        return index > start
    }

    /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func time(hours allowed: ClosedRange<Int64>) -> Int64? {
        let isNegative = isAt("-")
        if isNegative || isAt("+") { index += 1 }
        guard let hours = number(allowed) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] as [Int64] where take(":") {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `,day[/time]`; the default time is two o'clock.
    mutating func moment() -> YearlyRule.Moment? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return YearlyRule.Moment(day: day, time: 2 * 3600) }
        return time(hours: 0...167).map { YearlyRule.Moment(day: day, time: $0) }
    }

    private mutating func day() -> YearlyRule.Moment.Day? {
        if take("J") { return number(1...365).map { .withoutLeapDay(Int($0)) } }
        guard take("M") else { return number(0...365).map { .withLeapDay(Int($0)) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6)
        else { return nil }
        return .weekday(month: Int(month), week: Int(week), weekday: Int(weekday))
    }

    private mutating func number(_ allowed: ClosedRange<Int64>) -> Int64? {
        let start = index
        var value: Int64 = 0
        // At most three digits are valid, so a fourth one shows an invalid number.
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next), index < start + 4 {
            value = value * 10 + Int64(next - UInt8(ascii: "0"))
            index += 1
        }
        return index > start && allowed.contains(value) ? value : nil
    }
}
