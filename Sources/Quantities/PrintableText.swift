extension String {
    /// The text as it may go to a terminal, a log line or a table: one line, at most `limit` characters.
    ///
    /// Text from outside (names, answers of servers, errors of libraries) passes through here before a person sees it.
    /// Controls, line separators and invisible format characters (bidirectional marks among them) become `\u{…}`, so
    /// that nothing can move the cursor, forge a line or swap what is read. A longer text ends in `…`.
    package func printable(limit: Int = 256) -> String {
        var text = ""
        for character in self.prefix(limit) {
            for scalar in character.unicodeScalars.prefix(Self.scalarsPerCharacter) {
                text += scalar.isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// A letter carries a few combining marks in any script; hundreds of them overprint the lines around it.
    private static let scalarsPerCharacter = 8
}

extension String {
    /// The longest name that anything may have, in bytes of UTF-8.
    package static let longestName_bytes = 256

    /// Why the text cannot be a name or a tag, to follow its key in a message; `nil` if it can.
    ///
    /// Names come from outside and end up in log lines, terminals, topics and paths.
    package var nameFault: String? {
        if utf8.count > Self.longestName_bytes { return "is longer than \(Self.longestName_bytes) bytes" }
        return unicodeScalars.contains(where: \.steersOutput)
            ? "contains a control character, a line separator or a mark that changes the direction of writing" : nil
    }
}

extension Unicode.Scalar {
    /// Whether it makes a line or a terminal show something else than what is written.
    fileprivate var steersOutput: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    /// Whether it is visible and does not change its neighbours.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

/// Numbers as people write them.
package enum NumberText {
    /// Writes a number, without a fraction where it has none.
    package static func write(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
