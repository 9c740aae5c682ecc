import Quantities

/// HTML or SVG, made of literals of this program and of interpolated texts, which are escaped: a name from outside can neither
/// begin an element nor end an attribute.
package struct Markup: Sendable, Hashable, ExpressibleByStringInterpolation {
    package private(set) var text = ""

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    init(_ parts: [Markup]) { text = parts.map(\.text).joined() }

    static func += (left: inout Markup, right: Markup) { left.text += right.text }

    static func + (left: Markup, right: Markup) -> Markup { Markup([left, right]) }

    var isEmpty: Bool { text.isEmpty }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        package mutating func appendInterpolation(_ outside: String) { text += Markup.escaped(outside) }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// At most two decimals; 0 if it is not finite, or too large.
        package mutating func appendInterpolation(_ number: Double) {
            text += PlainText.number(number, decimals: 2) ?? "0"
        }

        /// Base64 (RFC 4648, section 4).
        package mutating func appendInterpolation(base64 bytes: [UInt8]) {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
            var encoded: [UInt8] = []
            encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
                for index in 0...part.count { encoded.append(alphabet[bits >> (18 - 6 * index) & 63]) }
                encoded += Array(repeating: UInt8(ascii: "="), count: 3 - part.count)
            }
            text += String(decoding: encoded, as: UTF8.self)
        }

        /// Keeps only ASCII letters and digits, points, commas, spaces and minus signs.
        package mutating func appendInterpolation(path: String) {
            text += path.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "., -".contains($0)) }
        }
    }

    /// For an element or a quoted attribute. Control characters and invisible marks become `\u{…}`.
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

    /// The longest text from outside, in characters.
    private static let longestText = 300
}
