internal import JSON
internal import Quantities

/// Applies to answers with a success status, instead of the format's rule.
package enum AnswerRule: Sendable, Hashable {
    /// Accepts any answer, even a web page.
    case any
    case contains(String)
    case matches(String)
    /// The value of a field in a JSON object, compared as text.
    case field(path: [String], value: String)

    package func fault(of reply: Reply) -> String? {
        switch self {
        case .any: nil
        case .contains(let text):
            body(reply).contains(text) ? nil : "the answer does not contain `\(text.printable())`"
        case .matches(let pattern):
            // The expression is valid, because trackerd rejects a configuration with an invalid expression.
            (try? Regex(pattern).firstMatch(in: body(reply))) == nil
                ? "the answer does not match `\(pattern.printable())`" : nil
        case .field(let path, let value):
            fault(of: JSONValue(json: body(reply)), path, value)
        }
    }

    private func fault(of answer: JSONValue?, _ path: [String], _ value: String) -> String? {
        var found = answer
        for key in path { found = found?.members?[key] }
        let name = path.joined(separator: ".").printable()
        guard let found else { return "the answer has no `\(name)`" }
        return found.plainText == value ? nil : "the answer has `\(name)`: `\(found.plainText.printable(limit: 100))`"
    }

    /// Returns the first 64 KiB; a real answer is shorter.
    private func body(_ reply: Reply) -> String { String(decoding: reply.body.prefix(65_536), as: UTF8.self) }
}
