/// A number that JSON cannot express.
struct NotFiniteError: Error {}

/// Appends single values as JSON.
extension [UInt8] {
    mutating func append(literally string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: $0) }
    }

    mutating func append(quoted string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                append(contentsOf: utf8)
            } else {
                for byte in utf8 { append(escaped: byte) }
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends a number in its shortest form; throws an error if the number is not finite.
    mutating func append(_ number: Double) throws {
        guard number.isFinite else { throw NotFiniteError() }
        let start = count
        append(literally: number.description)
        // A whole number has no fraction, as in the JSON that Foundation writes.
        if count - start > 2, self[count - 2] == UInt8(ascii: "."), self[count - 1] == UInt8(ascii: "0") {
            removeLast(2)
        }
    }

    /// Appends a number rounded to `decimals` digits after the point, in the shortest form of the rounded number.
    ///
    /// A decimal number of at most 15 digits is the shortest text of its nearest `Double`, because no other decimal number of at
    /// most 15 digits has the same nearest `Double` (IEEE 754). The digits therefore need no search for the shortest text.
    mutating func append(_ number: Double, decimals: Int) throws {
        let scale = PowersOfTen.exact[decimals]
        let scaled = (number * scale).rounded()
        let size = abs(scaled)
        // Swift writes numbers below 0.0001 with an exponent, and zero with its sign.
        guard size < 1e15, size * 10_000 >= scale || size == 0 && scaled.sign == .plus else {
            return try append(scaled / scale)
        }
        if scaled < 0 { append(UInt8(ascii: "-")) }
        var digits = UInt64(size)
        var decimals = decimals
        while decimals > 0, digits % 10 == 0 { (digits, decimals) = (digits / 10, decimals - 1) }
        append(digits, decimals: decimals)
    }

    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude, decimals: 0)
    }

    /// Appends digits with a point before the last `decimals` of them.
    private mutating func append(_ number: UInt64, decimals: Int) {
        let start = count
        var (rest, place) = (number, 0)
        repeat {
            if place == decimals, decimals > 0 { append(UInt8(ascii: ".")) }
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            (rest, place) = (rest / 10, place + 1)
        } while rest > 0 || place <= decimals
        var (low, high) = (start, count - 1)
        while low < high {
            swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
        case 8: self += Array(#"\b"#.utf8)
        case 9: self += Array(#"\t"#.utf8)
        case 10: self += Array(#"\n"#.utf8)
        case 12: self += Array(#"\f"#.utf8)
        case 13: self += Array(#"\r"#.utf8)
        case 0..<32:
            let digits = Array("0123456789abcdef".utf8)
            self += Array(#"\u00"#.utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: append(byte)
        }
    }
}

private enum PowersOfTen {
    /// The powers of ten that a `Double` represents exactly.
    static let exact: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
}
