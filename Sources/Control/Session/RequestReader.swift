import Calendar
package import Compatibility
import FoundationEssentials
import JSON
import Quantities
import Tracking
import TrackingOptions

/// Reads the keys of one request; collects wrong values and unknown keys to report all of them in one reply.
package struct RequestReader {
    private let entries: [OptionTree.Entry]
    /// The whole line, for values that the entries do not contain.
    private let line: [UInt8]
    private var known = ["request", "id"]
    private var problems: [String] = []

    /// The maximum length of a text that may have several lines.
    private static let longestText_bytes = 4096

    init(_ entries: [OptionTree.Entry], line: [UInt8] = []) { (self.entries, self.line) = (entries, line) }

    mutating func text(_ key: ControlKey) -> String? { text(key.name) }

    /// Reads a name, a tag or a word; nil if the key is missing, null or wrong.
    mutating func text(_ key: String) -> String? {
        guard let text = anyText(key) else { return nil }
        return accept(text, as: key) ? text : nil
    }

    /// Reads a text that may have several lines; nil if the key is missing, null or wrong.
    mutating func longText(_ key: ControlKey) -> String? {
        guard let text = anyText(key.name) else { return nil }
        guard text.utf8.count <= Self.longestText_bytes else {
            return wrong(key.name, "a text of at most \(Self.longestText_bytes) bytes")
        }
        return text
    }

    mutating func necessaryText(_ key: ControlKey) -> String? { necessaryText(key.name) }

    /// Reads a required text; notes an error if the text is missing or empty.
    mutating func necessaryText(_ key: String) -> String? {
        let before = problems.count
        if let text = text(key), !text.isEmpty { return text }
        if problems.count == before { problems.append("`\(key)` is missing.") }
        return nil
    }

    /// Reads a text that may be empty; notes an error if the key is missing.
    mutating func presentText(_ key: ControlKey) -> String? {
        let before = problems.count
        if let text = text(key) { return text }
        if problems.count == before { problems.append("`\(key.name)` is missing.") }
        return nil
    }

    mutating func flag(_ key: ControlKey) -> Bool? {
        guard let text = text(key) else { return nil }
        return Bool(text) ?? wrong(key.name, "true or false")
    }

    /// Reads a number within bounds.
    mutating func number(_ key: ControlKey, _ range: ClosedRange<Double>) -> Double? {
        guard let text = text(key) else { return nil }
        if let number = Double(text), range.contains(number) { return number }
        let bounds = "\(NumberText.write(range.lowerBound)) to \(NumberText.write(range.upperBound))"
        return wrong(key.name, "a number from \(bounds)")
    }

    /// Reads a duration such as `2h`, or `90` for 90 seconds; nil if the key is missing, null or wrong.
    mutating func duration(_ key: ControlKey, _ range: ClosedRange<Duration>) -> Duration? {
        guard let text = text(key) else { return nil }
        if let span = Duration.read(text), range.contains(span) { return span }
        return wrong(key.name, OptionKind.duration(range).expected)
    }

    /// Reads a moment such as `2026-01-31T13:05:00Z`, in UTC without an offset; notes an error if the key is missing.
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

    /// Reads a value of any shape, which may contain lists; nil if the key is missing or null.
    mutating func json(_ key: ControlKey) -> JSONValue? {
        guard value(key.name) != .empty else { return nil }
        return JSONValue(json: String(decoding: line, as: UTF8.self))?.members?[key.name]
    }

    /// Returns whether a text can be a name or a tag; notes an error if it cannot.
    mutating func accept(_ text: String, as key: String) -> Bool {
        guard let fault = text.nameFault else { return true }
        problems.append("`\(key)` \(fault). Write one short line of plain text.")
        return false
    }

    /// Returns whether a key has a value, which may be wrong; false if the key is missing or null.
    func has(_ key: ControlKey) -> Bool { entries.contains { $0.key == key.name && $0.value != .empty } }

    mutating func note(_ problem: String) { problems.append(problem) }

    /// Returns all errors in one line; nil if there are none.
    mutating func finish() -> String? {
        for entry in entries where !known.contains(entry.key) {
            let hint = Spelling.nearest(to: entry.key, among: known).map { "Did you mean `\($0)`?" }
            let list = "Known keys: \(known.sorted().joined(separator: ", "))."
            problems.append("`\(entry.key.printable(limit: 100))` is not a key of this request. \(hint ?? list)")
        }
        return problems.isEmpty ? nil : problems.joined(separator: " ")
    }

    /// The keys read so far, other than `request` and `id`.
    var readKeys: [String] { Array(known.dropFirst(2)) }

    private mutating func anyText(_ key: String) -> String? {
        switch value(key) {
        case .text(let text): return text
        case .empty: return nil
        case .mapping, .list: return wrong(key, "a text")
        }
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

/// JSON as a tree of texts, also of numbers and flags, for the readers of requests and of options.
package struct JSONTree: Sendable, Hashable, Codable {
    package let tree: OptionTree

    package init(_ tree: OptionTree) { self.tree = tree }

    /// Reads a line of JSON; nil if the line is not JSON.
    package init?(_ line: [UInt8]) {
        guard let json = try? JSONDecoder().decode(JSONTree.self, from: Data(line)) else { return nil }
        self = json
    }

    /// Reads any JSON; sorts the keys of objects, because JSON does not define their order.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            tree = .empty
        } else if let text = try? container.decode(String.self) {
            tree = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            tree = .text("\(number)")
        } else if let number = try? container.decode(Double.self) {
            tree = .text(NumberText.write(number))
        } else if let flag = try? container.decode(Bool.self) {
            tree = .text("\(flag)")
        } else if let object = try? container.decode([String: JSONTree].self) {
            tree = .mapping(object.sorted { $0.key < $1.key }.map { .init($0.key, line: nil, $0.value.tree) })
        } else {
            tree = .list
        }
    }

    /// Writes all values as texts; the reader of requests accepts texts in place of numbers and flags.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch tree {
        case .empty: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .list: try container.encode([String]())
        case .mapping(let entries):
            let object = entries.map { ($0.key, JSONTree($0.value)) }
            try container.encode(Dictionary(object) { _, last in last })
        }
    }
}
