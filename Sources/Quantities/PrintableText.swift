extension String {
    /// Returns the text in a form that is safe for a terminal, a log line or a table: one line with the first `limit`
    /// characters.
    ///
    /// Text from outside (names, answers of servers, errors of libraries) passes through this function before a person sees it.
    /// Control characters, line separators and invisible format characters (including bidirectional marks) become `\u{…}`. Such
    /// text cannot move the cursor, forge a line or change the order of the visible characters. If the text is longer, the result
    /// ends in `…`.
    package func printable(limit: Int = 256) -> String {
        var text = ""
        for character in self.prefix(limit) {
            for scalar in character.unicodeScalars.prefix(Self.scalarsPerCharacter) {
                text += scalar.isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// In every script a letter has only a few combining marks; hundreds of marks would cover the lines above and below.
    private static let scalarsPerCharacter = 8
}

extension String {
    /// The maximum length of a name or a tag, in bytes of UTF-8.
    package static let longestName_bytes = 256

    /// Why the text cannot be a name or a tag, in words that follow its key in a message; `nil` if the text is allowed.
    ///
    /// Names come from outside and appear in log lines, terminals, topics and paths.
    package var nameFault: String? {
        if utf8.count > Self.longestName_bytes { return "is longer than \(Self.longestName_bytes) bytes" }
        return unicodeScalars.contains(where: \.steersOutput)
            ? "contains a control character, a line separator or a mark that changes the direction of writing" : nil
    }
}

extension Unicode.Scalar {
    /// Whether the character can make a log line or a terminal show something other than the written text.
    fileprivate var steersOutput: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    /// Whether the character is visible and does not change how its neighbours appear.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

/// Numbers as people write them.
package enum NumberText {
    /// Writes a number, without a fraction if it is whole.
    package static func write(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
