import Delivery
import Formats
import Tracking
import TrackingOptions
import Upload
import Yams

/// The keys of a target that choose its records and networks.
enum TargetRulesEntry {
    /// `meteredInterfaces` is for targets without their own.
    static func read(_ reader: inout MappingReader, meteredInterfaces: [String]?) -> TargetRules {
        var rules = TargetRules()
        rules.replay = reader.word("replay", ReplayRule.self)
        rules.filter.sync = reader.word("sync", SyncRule.self) ?? .all
        rules.filter.kinds = selectors("kinds", &reader)
        rules.filter.exceptKinds = selectors("exceptKinds", &reader)
        rules.filter.tags = reader.texts("tags")
        if !rules.filter.kinds.isEmpty, let node = reader.child("exceptKinds") {
            reader.problems.add("`kinds` and `exceptKinds` are both set. Keep one of them.", at: node)
        }
        rules.network.interfaces = reader.texts("interfaces")
        rules.network.allowsMetered = reader.flag("metered") ?? true
        rules.monthlyBytes = bytes("monthlyBytes", &reader)
        if let meteredInterfaces { rules.network.meteredInterfaces = meteredInterfaces }
        return rules
    }

    private static func bytes(_ key: String, _ reader: inout MappingReader) -> Int64? {
        guard let node = reader.child(key) else { return nil }
        let text = node.scalar?.string ?? ""
        let unit = text.drop { $0.isNumber || $0 == "." }
        let scale = ["": 1.0, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9][unit.trimmingPrefix(" ")]
        if let scale, let number = Double(text.dropLast(unit.count)), number * scale >= 1000, number * scale <= 1e15 {
            return Int64(number * scale)
        }
        return reader.wrong(key, node, "a number of bytes from 1000, such as `50MB` or `2GB`")
    }

    private static func selectors(_ key: String, _ reader: inout MappingReader) -> [RecordSelector] {
        let nodes = reader.list(key)
        if let node = reader.child(key), node.sequence?.isEmpty == true {
            reader.problems.add(
                "`\(reader.full(key))` is an empty list. Write a kind, or leave the line out.", at: node)
        }
        return nodes.compactMap { node in
            let text = node.scalar?.string ?? ""
            if let selector = RecordSelector(reading: text) { return selector }
            return reader.wrong(key, node, expected(for: text), hint: hint(for: text))
        }
    }

    private static func expected(for text: String) -> String {
        guard let kind = Record.Kind(rawValue: String(text.prefix { $0 != "." })) else {
            let kinds = Record.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            return "one of \(kinds), or one of them with an event, such as `power.supplyLow`"
        }
        guard !kind.events.isEmpty else { return "`\(kind)` without an event" }
        return "`\(kind)`, or `\(kind).` followed by one of \(kind.events.joined(separator: ", "))"
    }

    /// The nearest name, with its kind.
    private static func hint(for text: String) -> String {
        let whole = RecordSelector.names.filter { $0.hasSuffix(".\(text)") }
        let nearest = whole.isEmpty ? Spelling.nearest(to: text, among: RecordSelector.names).map { [$0] } ?? [] : whole
        guard !nearest.isEmpty else { return "" }
        return " Did you mean \(nearest.map { "`\($0)`" }.joined(separator: " or "))?"
    }
}
