extension YearlyRule {
    /// Reads the value of a POSIX TZ variable, such as `CET-1CEST,M3.5.0,M10.5.0/3`, hours up to a week allowed.
    ///
    /// Nothing when it is anything else; also when a season has no dates, which POSIX leaves to the system.
    init?(_ text: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard reader.skipName(), let west = reader.time(hours: 0...24) else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            season = nil
            return
        }
        guard reader.skipName() else { return nil }
        // Without an offset of its own a season is one hour ahead.
        var offset = standard + 3600
        if !reader.isAt(",") {
            guard let west = reader.time(hours: 0...24) else { return nil }
            offset = -west
        }
        guard let begins = reader.moment(), let ends = reader.moment(), reader.isAtEnd else { return nil }
        season = Season(offset: offset, begins: begins, ends: ends)
    }
}

/// Reads the parts of the text from left to right.
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

    /// An abbreviation: letters, or anything between angle brackets.
    mutating func skipName() -> Bool {
        let start = index
        if take("<") {
            while let next, next != UInt8(ascii: ">") { index += 1 }
            return take(">") && index > start + 2
        }
        while let next, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next & ~0x20) { index += 1 }
        return index > start
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
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

    /// `,day[/time]`, two o'clock when there is no time.
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
        // No number here has more than three digits.
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next), index < start + 4 {
            value = value * 10 + Int64(next - UInt8(ascii: "0"))
            index += 1
        }
        return index > start && allowed.contains(value) ? value : nil
    }
}
