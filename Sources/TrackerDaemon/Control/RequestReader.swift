import Compatibility
import Quantities
import Tracking
import TrackingOptions

/// Reads the keys of one request; notes wrong values, and at the end the keys that nobody asked for.
struct RequestReader {
    private let entries: [OptionTree.Entry]
    private var known = ["request", "id"]
    private var problems: [String] = []

    init(_ entries: [OptionTree.Entry]) { self.entries = entries }

    /// A name, tag or word; `nil` when it is missing or null.
    mutating func text(_ key: String) -> String? {
        guard let text = anyText(key) else { return nil }
        return accept(text, as: key) ? text : nil
    }

    /// What somebody has to tell, on any number of lines; `nil` when it is missing or null.
    mutating func note(_ key: String) -> String? {
        guard let text = anyText(key) else { return nil }
        guard text.utf8.count <= Self.longestNote_bytes else {
            return wrong(key, "a text of at most \(Self.longestNote_bytes) bytes")
        }
        return text
    }

    /// Whether a text can be a name or a tag; notes why not.
    mutating func accept(_ text: String, as key: String) -> Bool {
        guard let fault = text.nameFault else { return true }
        problems.append("`\(key)` \(fault). Write one short line of plain text.")
        return false
    }

    private mutating func anyText(_ key: String) -> String? {
        switch value(key) {
        case .text(let text): return text
        case .empty: return nil
        case .mapping, .list: return wrong(key, "a text")
        }
    }

    private static let longestNote_bytes = 4096

    /// A text without which nothing can be done.
    mutating func necessaryText(_ key: String) -> String? {
        let before = problems.count
        if let text = text(key), !text.isEmpty { return text }
        if problems.count == before { problems.append("`\(key)` is missing.") }
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
            problems.append("`\(entry.key.printable(limit: 100))` is not known here. \(hint ?? list)")
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
