internal import JSON

/// A text with placeholders, which is parsed once. `render` escapes each value for the language.
package struct PlaceholderText: Sendable, Hashable {
    package enum Language: String, Sendable, Hashable, CaseIterable {
        /// A value outside of quotes becomes a JSON value, and one within quotes a part of the string.
        case json
        /// Path, query or form: percent-encoded.
        case url
        case xml
        /// Inserted unchanged.
        case plain
    }

    enum Style: Sendable, Hashable {
        case usual
        case decimals(Int)
        case digit
    }

    struct Slot: Sendable, Hashable {
        let name: String
        var style = Style.usual
        /// The text for an unknown value.
        var fallback: String?
        let isQuoted: Bool
    }

    enum Part: Sendable, Hashable {
        case literal(String)
        case slot(Slot)
    }

    let language: Language
    let parts: [Part]

    var names: Set<String> {
        Set(parts.compactMap { part in if case .slot(let slot) = part { slot.name } else { nil } })
    }

    /// True if the text is JSON once it has its values.
    var isJSON: Bool { JSONValue(json: render { _ in .integer(0) }) != nil }

    func render(_ value: (String) -> JSONValue) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .slot(let slot): write(value(slot.name), at: slot)
            }
        }.joined()
    }

    private func write(_ value: JSONValue, at slot: Slot) -> String {
        if value == .null, let fallback = slot.fallback {
            let isValue = language == .json && !slot.isQuoted && JSONValue(json: fallback) != nil
            return isValue ? fallback : escape(.text(fallback), slot)
        }
        switch (slot.style, value) {
        case (.decimals(let count), .number(let number)):
            return DecimalText.fixed(number, decimals: count)
        case (.decimals(let count), .integer(let number)):
            return DecimalText.fixed(Double(number), decimals: count)
        case (.digit, .flag(let flag)): return flag ? "1" : "0"
        case (.usual, _), (.decimals, _), (.digit, _): return escape(value, slot)
        }
    }

    private func escape(_ value: JSONValue, _ slot: Slot) -> String {
        switch language {
        case .plain: return value.plainText
        case .url: return URLText.encode(value.plainText)
        case .xml: return Self.xml(value.plainText)
        case .json:
            guard slot.isQuoted else { return Self.json(value) }
            return String(Self.json(.text(value.plainText)).dropFirst().dropLast())
        }
    }

    private static func json(_ value: JSONValue) -> String {
        if case .number = value { return value.plainText }
        return value.encoded.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private static func xml(_ text: String) -> String {
        let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"]
        return text.map { names[$0] ?? String($0) }.joined()
    }
}

package struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// States what is wrong, and what to write instead.
    package let description: String
}
