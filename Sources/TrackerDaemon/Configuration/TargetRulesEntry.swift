import Tracking
import TrackingOptions
import Upload
import Yams

/// The keys of one entry of `targets` that choose the records and the networks for the target.
enum TargetRulesEntry {
    /// Reads the keys; `meteredInterfaces` is the value of all targets that do not set their own.
    static func read(_ reader: inout MappingReader, meteredInterfaces: [String]?) -> TargetRules {
        var rules = TargetRules()
        rules.replay = reader.word("replay", ReplayRule.self)
        rules.filter.sync = reader.word("sync", SyncRule.self) ?? .all
        rules.filter.kinds = kinds("kinds", &reader)
        rules.filter.exceptKinds = kinds("exceptKinds", &reader)
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

    /// Reads a number of bytes, such as `50MB`.
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

    private static func kinds(_ key: String, _ reader: inout MappingReader) -> [Record.Kind] {
        let nodes = reader.list(key)
        if let node = reader.child(key), node.sequence?.isEmpty == true {
            reader.problems.add(
                "`\(reader.full(key))` is an empty list. Write a kind, or leave the line out.", at: node)
        }
        let known = Record.Kind.allCases.map(\.rawValue)
        return nodes.compactMap { node in
            let text = node.scalar?.string ?? ""
            if let kind = Record.Kind(rawValue: text) { return kind }
            let hint = Spelling.nearest(to: text, among: known).map { " Did you mean `\($0)`?" } ?? ""
            return reader.wrong(key, node, "one of \(known.joined(separator: ", "))", hint: hint)
        }
    }
}
