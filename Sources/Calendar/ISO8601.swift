package import Quantities

/// Moments as people and servers write them.
package enum TimestampText {
    /// Reads ISO 8601 with its zone, a date alone (midnight in UTC), or milliseconds since 1970 as Radar writes them.
    package static func parse(_ text: String) -> Timestamp? {
        if let milliseconds = Int64(text) { return plausible(Timestamp(milliseconds: milliseconds)) }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let day = halves.first.flatMap(day) else { return nil }
        guard halves.count == 2 else { return plausible(day) }
        guard let (clock, offset) = splitZone(halves[1]), let time = time(clock) else { return nil }
        return plausible(day + time - offset)
    }

    private static func day(_ text: Substring) -> Timestamp? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = number(parts[0]), let month = number(parts[1]),
            let day = number(parts[2]), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        // The 31st of April would otherwise be the 1st of May.
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
        return Timestamp(year: year, month: month, day: day)
    }

    /// Hours and minutes, with or without seconds and their fraction.
    private static func time(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0].count == 2, parts[1].count == 2,
            let hour = number(parts[0]), let minute = number(parts[1]), hour < 24, minute < 60
        else { return nil }
        let whole = Duration.seconds(hour * 3600 + minute * 60)
        guard parts.count == 3 else { return whole }
        guard parts[2].first?.isNumber == true, let second = Double(parts[2]), second < 61 else { return nil }
        return whole + Duration(inSeconds: second)
    }

    /// The clock without its zone, and how far the zone is ahead of UTC; nothing when there is no zone.
    private static func splitZone(_ text: Substring) -> (clock: Substring, offset: Duration)? {
        if text.last == "Z" || text.last == "z" { return (text.dropLast(), .zero) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let digits = text[text.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4, let hours = number(digits.prefix(2)), let minutes = number(digits.suffix(2)) else {
            return nil
        }
        let offset = Duration.seconds(hours * 3600 + minutes * 60)
        return (text[..<sign], text[sign] == "-" ? .zero - offset : offset)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    /// Refuses what no tracker will live to see: most likely seconds that were meant as milliseconds.
    private static func plausible(_ moment: Timestamp) -> Timestamp? {
        let years = Timestamp(year: 2000, month: 1, day: 1)..<Timestamp(year: 2200, month: 1, day: 1)
        return years.contains(moment) ? moment : nil
    }
}
