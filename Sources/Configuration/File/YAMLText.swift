import Yams

/// Changes single values of a file; its other lines and comments stay. After each change the text is parsed again. If
/// it does not contain the expected values, for example because of anchors, it is written anew from the values, without
/// comments.
struct YAMLText {
    enum Step: Hashable {
        case key(String)
        case item(Int)
    }

    private(set) var text: String
    private(set) var root: Node
    private(set) var hasLostComments = false

    /// Nil if the text is not a mapping in YAML.
    init?(_ text: String) {
        // Some editors write a byte order mark at the start.
        let text = text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text
        guard let root = (try? Yams.compose(yaml: text)) ?? nil, root.mapping != nil else { return nil }
        (self.text, self.root) = (text, root)
    }

    func node(_ path: Step...) -> Node? { node(at: path) }

    func node(at path: [Step]) -> Node? { root.descendant(path[...]).flatMap { $0.null == nil ? $0 : nil } }

    /// Sets a value, which is YAML in one line; the last key of the path may be missing.
    mutating func set(_ path: [Step], to value: String) {
        guard let node = (try? Yams.compose(yaml: value)) ?? nil else { return }
        let expected = root.replacing(path[...], by: node)
        adopt(edited(path, to: value, expected), expected)
    }

    mutating func remove(_ path: [Step]) {
        guard root.descendant(path[...]) != nil else { return }
        let expected = root.replacing(path[...], by: nil)
        adopt(edited(path, to: nil, expected), expected)
    }

    mutating func setList(_ key: String, of entries: [(key: String, value: String)]) {
        let lines = ["\(key):"] + YAMLText.item(entries)
        guard let list = (try? Yams.compose(yaml: lines.joined(separator: "\n")))??[key] else { return }
        var page = YAMLLines(text)
        // Append first, because the removal would change the positions of the lines behind it.
        page.append(lines, after: root.pairs.last)
        if let entry = root.entry(key) { page.remove(entry) }
        adopt(page.text, root.replacing([.key(key)], by: nil).replacing([.key(key)], by: list))
    }

    static func item(_ entries: [(key: String, value: String)]) -> [String] {
        entries.enumerated().map { index, entry in "\(index == 0 ? "  - " : "    ")\(entry.key): \(entry.value)" }
    }

    /// Adopts the edited text; if it is nil or contains other values, writes the expected values anew.
    private mutating func adopt(_ edited: String?, _ expected: Node) {
        if let edited, let result = YAMLText(edited), result.root == expected {
            (text, root) = (result.text, result.root)
        } else if let written = try? Yams.serialize(node: expected, width: -1, allowUnicode: true),
            let result = YAMLText(written)
        {
            hasLostComments = hasLostComments || text.contains("#")
            (text, root) = (result.text, result.root)
        }
    }

    private func edited(_ path: [Step], to value: String?, _ expected: Node) -> String? {
        var page = YAMLLines(text)
        var node = root
        for (index, step) in path.enumerated() {
            let isLast = index == path.count - 1
            // A list or a mapping in brackets is replaced as a whole.
            guard !page.isInBrackets(node), node.scalar == nil else {
                let outer = Array(path[..<index])
                return expected.descendant(outer[...])?.inOneLine.flatMap { edited(outer, to: $0, expected) }
            }
            switch step {
            case .key(let key):
                guard let entry = node.entry(key) else {
                    guard isLast, let value else { return nil }
                    page.append(["\(key): \(value)"], after: node.pairs.last)
                    return page.text
                }
                guard isLast else {
                    node = entry.value
                    continue
                }
                guard let value else { return page.remove(entry, next: node.entry(after: key)) ? page.text : nil }
                page.replace(entry, by: value)
                return page.text
            case .item(let number):
                guard let list = node.sequence, list.indices.contains(number), let column = list.mark?.column else {
                    return nil
                }
                guard isLast else {
                    node = list[number]
                    continue
                }
                return page.replaceItem(list[number], dash: column - 1, by: value) ? page.text : nil
            }
        }
        return nil
    }
}

extension Node {
    fileprivate var pairs: [YAMLEntry] { mapping.map { $0.map { ($0.key, $0.value) } } ?? [] }

    fileprivate func entry(_ key: String) -> YAMLEntry? { pairs.first { $0.key.string == key } }

    fileprivate func entry(after key: String) -> YAMLEntry? {
        pairs.firstIndex { $0.key.string == key }.flatMap { $0 + 1 < pairs.count ? pairs[$0 + 1] : nil }
    }

    fileprivate func descendant(_ path: ArraySlice<YAMLText.Step>) -> Node? {
        guard let step = path.first else { return self }
        switch step {
        case .key(let key): return entry(key)?.value.descendant(path.dropFirst())
        case .item(let number):
            guard let sequence, sequence.indices.contains(number) else { return nil }
            return sequence[number].descendant(path.dropFirst())
        }
    }

    /// Nil removes the value.
    fileprivate func replacing(_ path: ArraySlice<YAMLText.Step>, by value: Node?) -> Node {
        guard let step = path.first else { return value ?? self }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.key(let key), .mapping(var mapping)):
            let name = entry(key)?.key ?? Node(key)
            mapping[name] = rest.isEmpty ? value : mapping[name]?.replacing(rest, by: value)
            return .mapping(mapping)
        case (.item(let number), .sequence(var sequence)) where sequence.indices.contains(number):
            if rest.isEmpty, value == nil {
                sequence.remove(at: number)
            } else {
                sequence[number] = sequence[number].replacing(rest, by: value)
            }
            return .sequence(sequence)
        default: return self
        }
    }

    var inOneLine: String? {
        switch self {
        case .scalar(let scalar):
            switch scalar.style {
            case .plain where !scalar.string.contains { "{}[],\n".contains($0) }: return scalar.string
            case .singleQuoted, .doubleQuoted: return YAMLText.inQuotes(scalar.string)
            case .any, .plain, .literal, .folded: return nil
            }
        case .mapping(let mapping):
            let parts = mapping.map { key, value in
                key.inOneLine.flatMap { key in value.inOneLine.map { "\(key): \($0)" } }
            }
            return parts.contains(nil) ? nil : "{\(parts.compactMap(\.self).joined(separator: ", "))}"
        case .sequence(let sequence):
            let parts = sequence.map(\.inOneLine)
            return parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
        case .alias: return nil
        }
    }
}

extension YAMLText {
    static func inQuotes(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127: "\\\(UInt8(scalar.value).hexadecimal.dropFirst())"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
