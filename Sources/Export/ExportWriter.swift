package import Tracking

package protocol ExportWriter {
    var count: Int { get }

    /// Adds the head of the file before the first record; leaves out what the format cannot express.
    mutating func add(_ stored: StoredRecord, to text: inout String)

    /// Call this only if `count` is above zero.
    mutating func end(_ text: inout String)
}

/// Numbers and texts as XML and CSV require them.
enum PlainText {
    /// Writes a number with at most `decimals` digits after the point and no exponent; nil if it is not finite, or too
    /// large.
    static func number(_ value: Double, decimals: Int) -> String? {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        guard let scaled = Int64(exactly: (value.magnitude * Double(scale)).rounded()) else { return nil }
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: decimals - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    /// A point of a path in SVG. A number has at most one decimal, and is 0 if it is not finite, or too large.
    static func pair(_ x: Double, _ y: Double) -> String {
        [x, y].map { number($0, decimals: 1) ?? "0" }.joined(separator: " ")
    }

    /// Escapes a text, and drops characters that XML 1.0 forbids.
    static func xml(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": break
            case _ where scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar): break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Writes a field, in quotes if it contains a comma, a quote or a line break (RFC 4180).
    static func csv(_ field: String) -> String {
        let mustQuote = field.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
        guard mustQuote else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
