/// Writes decimal numbers without an exponent.
package enum DecimalText {
    /// Writes exactly `decimals` decimals, 0 to 9; empty if the number is not finite or too large.
    package static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "" }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = "\(rest)"
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }

    /// Returns the number with at most nine decimals, without zeros at the end.
    static func shortest(_ value: Double) -> String {
        var text = fixed(value, decimals: 9)
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}

extension Double {
    package func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
