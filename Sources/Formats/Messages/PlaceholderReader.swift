internal import Quantities
internal import TrackingOptions

struct PlaceholderReader {
    private let language: PlaceholderText.Language
    private var rest: Substring
    private var parts: [PlaceholderText.Part] = []
    private var literal = ""
    private var isQuoted = false

    private init(_ text: String, _ language: PlaceholderText.Language) {
        (rest, self.language) = (Substring(text), language)
    }

    /// Reads `{name}`, `{name:.6}`, `{name:01}` and `{name|default}`; `{{name}` is the text `{name}`.
    static func braces(_ text: String, _ language: PlaceholderText.Language) throws(TemplateError) -> PlaceholderText {
        var reader = PlaceholderReader(text, language)
        while let character = reader.rest.first {
            if character == "{", let end = reader.end(ofNameAfter: reader.rest.dropFirst()) {
                reader.append(.slot(try reader.slot(reader.rest.dropFirst().prefix(upTo: end))))
                reader.rest = reader.rest.suffix(from: end).dropFirst()
            } else {
                if reader.rest.hasPrefix("{{"), reader.end(ofNameAfter: reader.rest.dropFirst(2)) != nil {
                    // The second brace and the name are text.
                    reader.rest = reader.rest.dropFirst()
                    reader.take()
                }
                if !reader.rest.isEmpty { reader.take() }
            }
        }
        return reader.finish()
    }

    /// Reads the tags `<%= name %>` of a JSON text.
    static func tags(_ text: String, known: [String]) throws(TemplateError) -> PlaceholderText {
        var reader = PlaceholderReader(text, .json)
        while !reader.rest.isEmpty {
            guard reader.rest.hasPrefix("<%=") else {
                reader.take()
                continue
            }
            guard let end = reader.rest.firstRange(of: "%>") else {
                throw TemplateError(description: "a `<%=` has no `%>`. Write a tag such as `<%= latitude %>`.")
            }
            let inner = reader.rest[reader.rest.index(reader.rest.startIndex, offsetBy: 3)..<end.lowerBound]
            let name = String(inner.filter { !$0.isWhitespace })
            guard known.contains(name) else {
                throw Self.unknown("<%= \(name) %>", name, known, as: { "<%= \($0) %>" })
            }
            reader.append(.slot(PlaceholderText.Slot(name: name, isQuoted: reader.isQuoted)))
            reader.rest = reader.rest[end.upperBound...]
        }
        return reader.finish()
    }

    /// The index of the closing brace; nil if `text` does not begin with the name of a placeholder.
    private func end(ofNameAfter text: Substring) -> Substring.Index? {
        let name = text.prefix { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
        guard name.first?.isLetter == true, let next = text.dropFirst(name.count).first, ":|}".contains(next) else {
            return nil
        }
        return text.firstIndex(of: "}")
    }

    private func slot(_ text: Substring) throws(TemplateError) -> PlaceholderText.Slot {
        let halves = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let words = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(words[0])
        guard Placeholder.named(name) != nil else {
            throw Self.unknown("{\(text)}", name, Placeholder.all.map(\.name), as: { "{\($0)}" })
        }
        var slot = PlaceholderText.Slot(name: name, isQuoted: isQuoted)
        slot.fallback = halves.count > 1 ? String(halves[1]) : nil
        guard words.count > 1 else { return slot }
        if words[1] == "01" {
            slot.style = .digit
        } else if words[1].first == ".", let count = Int(words[1].dropFirst()), (0...9).contains(count) {
            slot.style = .decimals(count)
        } else {
            throw TemplateError(
                description:
                    "`{\(String(text).printable())}` has an unknown style. Write `{\(name):.6}` for six decimals, or "
                    + "`{\(name):01}` for 0 or 1.")
        }
        return slot
    }

    private static func unknown(
        _ text: String, _ name: String, _ known: [String], as written: (String) -> String
    ) -> TemplateError {
        let hint = Spelling.nearest(to: name, among: known).map { "Did you mean `\(written($0))`?" }
        let list = "Known: \(known.joined(separator: ", "))."
        return TemplateError(description: "`\(text.printable())` is not a placeholder. \(hint ?? list)")
    }

    /// Takes one character or JSON escape as literal text.
    private mutating func take() {
        let character = rest.removeFirst()
        if language == .json {
            if character == "\"" { isQuoted.toggle() }
            if character == "\\", isQuoted, let escaped = rest.popFirst() {
                literal += "\\\(escaped)"
            } else {
                literal.append(character)
            }
            return
        }
        literal.append(character)
    }

    private mutating func append(_ part: PlaceholderText.Part) {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(part)
    }

    private mutating func finish() -> PlaceholderText {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return PlaceholderText(language: language, parts: parts)
    }
}
