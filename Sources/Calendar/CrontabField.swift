struct CrontabError: Error, Sendable, Hashable {
    let text: String
}

struct CrontabField: Sendable, Hashable {
    /// The fields in the order of the line; the raw values are the names in messages.
    enum Kind: String, Sendable, CaseIterable {
        case minutes
        case hours
        case daysOfMonth = "days of the month"
        case months
        case daysOfWeek = "days of the week"
    }

    let isRestricted: Bool
    private var bits: UInt64 = 0

    /// A list of `*`, numbers, names and ranges, each with or without a step.
    init(_ text: Substring, of kind: Kind) throws(CrontabError) {
        isRestricted = !text.hasPrefix("*")
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard !item.isEmpty else {
                throw kind.problem("`\(text)` has a comma without a value beside it. Remove the comma.")
            }
            let (range, step) = try Self.rangeAndStep(item, of: kind)
            for number in stride(from: range.lowerBound, through: range.upperBound, by: step) { insert(number, kind) }
        }
    }

    func contains(_ number: Int) -> Bool { bits & (1 << UInt64(number)) != 0 }

    private mutating func insert(_ number: Int, _ kind: Kind) {
        let isLastSunday = kind == .daysOfWeek && number == Kind.sundayAtTheEnd
        bits |= 1 << UInt64(isLastSunday ? 0 : number)
    }

    private static func rangeAndStep(
        _ item: Substring, of kind: Kind
    ) throws(CrontabError) -> (ClosedRange<Int>, step: Int) {
        let parts = item.split(separator: "/", omittingEmptySubsequences: false)
        let range = try kind.range(parts[0])
        guard parts.count > 1 else { return (range, 1) }
        let steps = 1...kind.range.upperBound
        guard parts.count == 2, let step = decimal(parts[1]), steps.contains(step) else {
            throw kind.problem(
                "`\(item)` has no step that fits. After the `/` write a number from 1 to \(steps.upperBound).")
        }
        // `5/15` means from 5 to the end of the range, in steps of 15.
        let isOpenEnded = range.count == 1 && !parts[0].contains("-")
        return (isOpenEnded ? range.lowerBound...max(range.lowerBound, kind.range.upperBound) : range, step)
    }
}

extension CrontabField.Kind {
    /// Sunday is 0, and may also be written as 7.
    fileprivate static let sundayAtTheEnd = 7

    fileprivate var range: ClosedRange<Int> {
        switch self {
        case .minutes: 0...59
        case .hours: 0...23
        case .daysOfMonth: 1...31
        case .months: 1...12
        case .daysOfWeek: 0...6
        }
    }

    /// The first name stands for the lower bound of the range.
    private var names: [String] {
        switch self {
        case .minutes, .hours, .daysOfMonth: []
        case .months: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .daysOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        }
    }

    private var highest: Int { self == .daysOfWeek ? Self.sundayAtTheEnd : range.upperBound }

    fileprivate func problem(_ text: String) -> CrontabError { CrontabError(text: "\(rawValue): \(text)") }

    fileprivate func range(_ text: Substring) throws(CrontabError) -> ClosedRange<Int> {
        guard text != "*" else { return range }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2 else {
            throw problem("`\(text)` has more than one hyphen. Write a range as `FROM-TO`, and several with commas.")
        }
        var lower = try number(ends[0], in: text)
        guard ends.count == 2 else { return lower...lower }
        var upper = try number(ends[1], in: text)
        // At the end of a range (`FRI-SUN`) or its beginning (`7-2`), Sunday may be written as 0 or as 7.
        if self == .daysOfWeek, upper == 0, lower > 0 { upper = Self.sundayAtTheEnd }
        if self == .daysOfWeek, lower == Self.sundayAtTheEnd, upper < lower { lower = 0 }
        guard lower <= upper else { throw backwards(text, from: lower, to: upper) }
        return lower...upper
    }

    private func number(_ text: Substring, in whole: Substring) throws(CrontabError) -> Int {
        let upper = text.uppercased()
        if let index = names.firstIndex(of: upper) { return range.lowerBound + index }
        let allowed = range.lowerBound...highest
        guard let number = decimal(text), allowed.contains(number) else {
            let orName = names.first.flatMap { first in names.last.map { ", or \(first) to \($0)" } } ?? ""
            let shown = text.isEmpty ? whole : text
            throw problem(
                "`\(shown)` does not fit. Write a number from \(allowed.lowerBound) to \(allowed.upperBound)\(orName).")
        }
        return number
    }

    private func backwards(_ text: Substring, from lower: Int, to upper: Int) -> CrontabError {
        let first = lower == range.upperBound ? "\(lower)" : "\(lower)-\(range.upperBound)"
        let second = upper == range.lowerBound ? "\(upper)" : "\(range.lowerBound)-\(upper)"
        return problem("`\(text)` runs backwards. Write `\(first),\(second)`.")
    }
}

/// Nil if the text is empty, has other characters than digits, or is too large for an `Int`.
private func decimal(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
}
