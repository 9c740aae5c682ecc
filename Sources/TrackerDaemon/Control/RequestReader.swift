import Tracking

/// Reads the keys of one request; notes wrong values, and at the end the keys that nobody asked for.
struct RequestReader {
    private let entries: [OptionTree.Entry]
    private var known = ["request", "id"]
    private var problems: [String] = []

    init(_ entries: [OptionTree.Entry]) { self.entries = entries }

    /// A text; nothing when it is missing or null.
    mutating func text(_ key: String) -> String? {
        switch value(key) {
        case .text(let text): return text
        case .empty: return nil
        case .mapping, .list: return wrong(key, "a text")
        }
    }

    /// A text without which nothing can be done.
    mutating func necessaryText(_ key: String) -> String? {
        if let text = text(key), !text.isEmpty { return text }
        problems.append("`\(key)` is missing.")
        return nil
    }

    /// A number within bounds.
    mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        guard let text = text(key) else { return nil }
        if let number = Double(text), range.contains(number) { return number }
        let bounds = "\(NumberText.write(range.lowerBound)) to \(NumberText.write(range.upperBound))"
        return wrong(key, "a number from \(bounds)")
    }

    /// A whole number of 16 bits.
    mutating func short(_ key: String) -> UInt16? {
        guard let text = text(key) else { return nil }
        return UInt16(text) ?? wrong(key, "a whole number from 0 to 65535")
    }

    /// What stands in an object; nothing when it is missing or null.
    mutating func object(_ key: String) -> [OptionTree.Entry]? {
        switch value(key) {
        case .mapping(let entries): return entries
        case .empty: return nil
        case .text, .list: return wrong(key, "an object")
        }
    }

    /// Notes that something is wrong.
    mutating func complain(_ text: String) { problems.append(text) }

    /// Everything that is wrong, in a line; nothing when nothing is.
    mutating func finish() -> String? {
        for entry in entries where !known.contains(entry.key) {
            let hint = Spelling.nearest(to: entry.key, among: known).map { "Did you mean `\($0)`?" }
            let list = "Known here: \(known.sorted().joined(separator: ", "))."
            problems.append("`\(entry.key)` is not known here. \(hint ?? list)")
        }
        return problems.isEmpty ? nil : problems.joined(separator: " ")
    }

    private mutating func value(_ key: String) -> OptionTree {
        if !known.contains(key) { known.append(key) }
        return entries.first { $0.key == key }?.value ?? .empty
    }

    private mutating func wrong<Value>(_ key: String, _ expected: String) -> Value? {
        problems.append("`\(key)` must be \(expected).")
        return nil
    }
}
