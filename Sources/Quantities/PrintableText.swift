extension String {
    /// One line of the first `limit` characters, and `…` if there are more. Text from outside (names, answers of
    /// servers, errors of libraries) passes through here before a person sees it. Control characters, line separators
    /// and invisible format characters such as bidirectional marks become `\u{…}`, so that they cannot move the cursor,
    /// forge a line or reorder the visible text.
    package func printable(limit: Int = 256) -> String {
        var text = ""
        for character in self.prefix(limit) {
            for scalar in character.unicodeScalars.prefix(Self.scalarsPerCharacter) {
                text += scalar.isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// A letter has only a few combining marks in any script; hundreds would cover the lines above and below.
    private static let scalarsPerCharacter = 8
}

extension String {
    /// In UTF-8.
    package static let longestName_bytes = 256

    /// Why the text cannot be a name or a tag in logs, terminals, topics and paths; nil if it can. The words complete a
    /// sentence such as "The name …".
    package var nameFault: String? {
        if utf8.count > Self.longestName_bytes { return "is longer than \(Self.longestName_bytes) bytes" }
        return unicodeScalars.contains(where: \.steersOutput)
            ? "contains a control character, a line separator or a mark that changes the direction of writing" : nil
    }
}

extension Unicode.Scalar {
    /// True if the character can make a log line or a terminal show something other than the written text.
    fileprivate var steersOutput: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    /// True if the character is visible, and has no effect on how its neighbours appear.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}

package enum NumberText {
    /// Leaves out the fraction if the number is whole.
    package static func write(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }
}
