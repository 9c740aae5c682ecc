import Calendar
import Compatibility
import JSON
import Quantities
import Tracking
import TrackingOptions

/// Reads the keys of a request, and reports all wrong values and unknown keys in one reply.
package struct RequestReader {
    private let members: [String: JSONValue]
    private var known = ["request", "id"]
    private var problems: [String] = []

    /// The limit of a text with several lines.
    private static let longestText_bytes = 4096

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Reads a short text; nil if the key is missing, null or wrong.
    mutating func text(_ key: ControlKey) -> String? {
        guard let text = anyText(key.name) else { return nil }
        return accept(text, as: key.name) ? text : nil
    }

    /// Reads a text that may have several lines; nil if the key is missing, null or wrong.
    mutating func longText(_ key: ControlKey) -> String? {
        guard let text = anyText(key.name) else { return nil }
        guard text.utf8.count <= Self.longestText_bytes else {
            return wrong(key.name, "a string of at most \(Self.longestText_bytes) bytes")
        }
        return text
    }

    /// Reads a text that must not be missing, nor empty unless `mayBeEmpty` is true.
    mutating func necessaryText(_ key: ControlKey, orEmpty mayBeEmpty: Bool = false) -> String? {
        let before = problems.count
        if let text = text(key), mayBeEmpty || !text.isEmpty { return text }
        if problems.count == before { problems.append("`\(key.name)` is missing.") }
        return nil
    }

    mutating func flag(_ key: ControlKey) -> Bool? {
        guard let text = text(key) else { return nil }
        return Bool(text) ?? wrong(key.name, "true or false")
    }

    mutating func number(_ key: ControlKey, _ range: ClosedRange<Double>) -> Double? {
        guard let text = text(key) else { return nil }
        if let number = Double(text), range.contains(number) { return number }
        let bounds = "\(NumberText.write(range.lowerBound)) to \(NumberText.write(range.upperBound))"
        return wrong(key.name, "a number from \(bounds)")
    }

    /// Reads a duration such as `2h`, or `90` for seconds; nil if the key is missing, null or wrong.
    mutating func duration(_ key: ControlKey, _ range: ClosedRange<Duration>) -> Duration? {
        guard let text = text(key) else { return nil }
        if let span = Duration.read(text), range.contains(span) { return span }
        return wrong(key.name, OptionKind.duration(range).expected)
    }

    /// Reads a time such as `2026-01-31T13:05:00Z`; one without an offset is in UTC.
    mutating func necessaryMoment(_ key: ControlKey) -> Timestamp? {
        guard let text = necessaryText(key) else { return nil }
        return ISO8601(text)?.timestamp(in: .utc) ?? wrong(key.name, "a date and a time such as 2026-01-31T13:05:00Z")
    }

    mutating func short(_ key: ControlKey) -> UInt16? {
        guard let text = text(key) else { return nil }
        return UInt16(text) ?? wrong(key.name, "a whole number from 0 to 65535")
    }

    mutating func object(_ key: ControlKey) -> [OptionTree.Entry]? {
        switch value(key.name) {
        case .mapping(let entries): return entries
        case .empty: return nil
        case .text, .list: return wrong(key.name, "an object")
        }
    }

    /// Nil if the key is missing or null.
    mutating func json(_ key: ControlKey) -> JSONValue? {
        guard value(key.name) != .empty else { return nil }
        return members[key.name]
    }

    /// Notes an error and returns false if the text cannot be a name or a tag.
    mutating func accept(_ text: String, as key: String) -> Bool {
        guard let fault = text.nameFault else { return true }
        problems.append("`\(key)` \(fault). Write one short line of plain text.")
        return false
    }

    /// Returns whether a key has a value, which may be wrong; false if the key is missing or null.
    func has(_ key: ControlKey) -> Bool { members[key.name, default: .null] != .null }

    mutating func note(_ problem: String) { problems.append(problem) }

    /// Returns all errors in one line; nil if there are none.
    mutating func finish() -> String? {
        for key in members.keys.sorted() where !known.contains(key) {
            let hint = Spelling.nearest(to: key, among: known).map { "Did you mean `\($0)`?" }
            let list = "Known keys: \(known.sorted().joined(separator: ", "))."
            problems.append("`\(key.printable(limit: 100))` is not a key of this request. \(hint ?? list)")
        }
        return problems.isEmpty ? nil : problems.joined(separator: " ")
    }

    /// The keys that were read, besides `request` and `id`.
    var readKeys: [String] { Array(known.dropFirst(2)) }

    private mutating func anyText(_ key: String) -> String? {
        switch value(key) {
        case .text(let text): return text
        case .empty: return nil
        case .mapping, .list: return wrong(key, "a string")
        }
    }

    private mutating func value(_ key: String) -> OptionTree {
        if !known.contains(key) { known.append(key) }
        return OptionTree(members[key] ?? .null)
    }

    private mutating func wrong<Value>(_ key: String, _ expected: String) -> Value? {
        problems.append("`\(key)` must be \(expected).")
        return nil
    }
}

extension OptionTree {
    /// Reads JSON as texts, including its numbers and flags. The keys of objects are sorted, because JSON does not
    /// define their order.
    fileprivate init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .empty
            case .text(let text): .text(text)
            case .integer(let number): .text("\(number)")
            case .number(let number): .text(NumberText.write(number))
            case .flag(let flag): .text("\(flag)")
            case .list: .list
            case .object(let members):
                .mapping(members.sorted { $0.key < $1.key }.map { .init($0.key, line: nil, OptionTree($0.value)) })
            }
    }

    /// The values as JSON texts, which the reader also accepts in place of numbers and flags.
    var json: JSONValue {
        switch self {
        case .empty: .null
        case .text(let text): .text(text)
        case .list: .list([])
        case .mapping(let entries): .object(Dictionary(entries.map { ($0.key, $0.value.json) }) { _, last in last })
        }
    }
}
