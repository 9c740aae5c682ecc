import Quantities

/// HTML or SVG, made of literals of this program and of interpolated texts, which are escaped: a name from outside can neither
/// begin an element nor end an attribute.
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    package private(set) var text = ""

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    init(_ parts: [Markup]) { text = parts.map(\.text).joined() }

    var isEmpty: Bool { text.isEmpty }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        package mutating func appendInterpolation(_ outside: String) { text += Markup.escaped(outside) }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Writes at most two decimals; 0 if the number is not finite, or too large.
        package mutating func appendInterpolation(_ number: Double) {
            text += PlainText.number(number, decimals: 2) ?? "0"
        }

        /// Keeps only ASCII letters and digits, points, commas, spaces and minus signs.
        package mutating func appendInterpolation(path: String) {
            text += path.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "., -".contains($0)) }
        }
    }

    /// Escapes a text for an element or a quoted attribute. Control characters and invisible marks become `\u{…}`.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.printable(limit: longestText).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A text from outside is cut after this number of characters.
    private static let longestText = 300
}
