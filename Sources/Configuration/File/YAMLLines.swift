import Yams

/// The lines of a file in block style. The parser states where a value begins; the indentation shows where it ends.
struct YAMLLines {
    private var lines: [[Unicode.Scalar]]

    init(_ text: String) {
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    var text: String {
        lines.map { line in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: line)
            return String(text) + "\n"
        }.joined()
    }

    func isInBrackets(_ node: Node) -> Bool {
        guard let place = Place(node), lines.indices.contains(place.line) else { return false }
        return lines[place.line].dropFirst(place.column).first.map { "{[".unicodeScalars.contains($0) } ?? false
    }

    /// Replaces a value. A comment in the same line stays behind a scalar, but not behind a list, a mapping or an empty value.
    mutating func replace(_ entry: YAMLEntry, by value: String) {
        guard let place = Place(entry.key) else { return }
        let last = end(of: entry, at: place)
        if last == place.line + 1, let scalar = entry.value.scalar, let start = Place(entry.value),
            start.line == place.line,
            let end = end(of: scalar, from: start)
        {
            lines[start.line].replaceSubrange(start.column..<end, with: value.unicodeScalars)
            return
        }
        let words = "\(entry.key.string ?? ""): \(value)".unicodeScalars
        let first = lines[place.line][..<place.column] + words
        lines.replaceSubrange(place.line..<last, with: [Array(first)])
    }

    mutating func append(_ added: [String], after entry: YAMLEntry?) {
        let place = entry.flatMap { Place($0.key) }
        let indent = [Unicode.Scalar](repeating: " ", count: place?.column ?? 0)
        let end = if let entry, let place { self.end(of: entry, at: place) } else { lines.count }
        lines.insert(contentsOf: added.map { indent + $0.unicodeScalars }, at: min(end, lines.count))
    }

    /// Removes an entry; `next` is the entry after it in the same mapping. Returns false, and removes nothing, if the
    /// entry stands behind the dash of a list's item and no next line can take its place.
    @discardableResult
    mutating func remove(_ entry: YAMLEntry, next: YAMLEntry? = nil) -> Bool {
        guard let place = Place(entry.key) else { return false }
        let before = lines[place.line][..<place.column]
        guard before.contains(where: { $0 != " " }) else {
            lines.removeSubrange(place.line..<end(of: entry, at: place))
            return true
        }
        // The dash of the item stays in front of the next entry.
        guard let following = next.flatMap({ Place($0.key) }), following.line > place.line else { return false }
        let joined = before + lines[following.line][following.column...]
        lines.replaceSubrange(place.line...following.line, with: [Array(joined)])
        return true
    }

    mutating func replaceItem(_ item: Node, dash: Int, by value: String?) -> Bool {
        guard let place = Place(item),
            let first = (0...place.line).last(where: { lines[$0].indentation == dash && lines[$0][dash] == "-" })
        else { return false }
        let end = end(after: first, deeperThan: dash, isList: false)
        guard let value else {
            lines.removeSubrange(first..<end)
            return true
        }
        guard first == place.line else { return false }
        lines.replaceSubrange(first..<end, with: [Array(lines[first][..<place.column] + value.unicodeScalars)])
        return true
    }

    // MARK: - Where values end

    /// The line and the column of a node, counted from 0.
    private struct Place {
        let line: Int
        let column: Int

        init?(_ node: Node) {
            guard let mark = node.mark, mark.line > 0, mark.column > 0 else { return nil }
            (line, column) = (mark.line - 1, mark.column - 1)
        }
    }

    private func end(of entry: YAMLEntry, at place: Place) -> Int {
        end(after: place.line, deeperThan: place.column, isList: entry.value.sequence != nil)
    }

    /// The line after the value, counted from 0; comments and empty lines behind the value do not belong to it.
    private func end(after first: Int, deeperThan column: Int, isList: Bool) -> Int {
        var end = first + 1
        for number in (first + 1)..<max(first + 1, lines.count) {
            let line = lines[number]
            guard let indentation = line.indentation, line[indentation] != "#" else { continue }
            // The dashes of a list may stand below the first letter of its key.
            let isItem = isList && indentation == column && line[indentation...].starts(with: "- ".unicodeScalars)
            guard indentation > column || isItem else { break }
            end = number + 1
        }
        return end
    }

    private func end(of scalar: Node.Scalar, from start: Place) -> Int? {
        let line = lines[start.line]
        guard start.column < line.count, !scalar.string.isEmpty else { return nil }
        switch scalar.style {
        case .plain:
            var end = start.column
            while end < line.count, !(line[end] == "#" && line[end - 1] == " ") { end += 1 }
            while end > start.column, [" ", "\t", "\r"].contains(line[end - 1]) { end -= 1 }
            return end
        case .singleQuoted, .doubleQuoted:
            let quote: Unicode.Scalar = scalar.style == .singleQuoted ? "'" : "\""
            guard line[start.column] == quote else { return nil }
            var end = start.column + 1
            while end < line.count,
                line[end] != quote || (quote == "'" && line[end...].starts(with: "''".unicodeScalars))
            {
                end += line[end] == quote || (quote == "\"" && line[end] == "\\") ? 2 : 1
            }
            return end < line.count ? end + 1 : nil
        case .any, .literal, .folded: return nil
        }
    }
}

typealias YAMLEntry = (key: Node, value: Node)

extension [Unicode.Scalar] {
    /// The number of blanks at the beginning; nil for a line of blanks.
    fileprivate var indentation: Int? { firstIndex { $0 != " " && $0 != "\r" && $0 != "\t" } }
}
