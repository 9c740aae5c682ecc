import Glibc

/// Reads decimal numbers from bytes, most of them without a library's help: recordings have millions.
enum DecimalNumber {
    /// Up to this many digits, and powers of ten, both are exact as `Double`, so that one division rounds rightly.
    private static let exactDigits = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The nearest number to what is written in a part of `bytes`; nothing when it is none.
    static func value(of bytes: [UInt8], in range: Range<Int>) -> Double? {
        range.isEmpty ? nil : plain(bytes, range) ?? general(bytes[range])
    }

    /// Digits with at most a sign and a point; nothing when there is anything else, or too much of it.
    private static func plain(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
        let isNegative = bytes[range.lowerBound] == minus
        var position = isNegative ? range.lowerBound + 1 : range.lowerBound
        var digits = 0
        var count = 0
        var decimals = -1
        // Bare numbers and a plain loop: this is called for each cell.
        while position < range.upperBound {
            let byte = bytes[position]
            if byte >= zero, byte <= nine {
                digits = digits * 10 + Int(byte - zero)
                count += 1
                if decimals >= 0 { decimals += 1 }
            } else if byte == point, decimals < 0 {
                decimals = 0
            } else {
                return nil
            }
            guard count <= exactDigits else { return nil }
            position += 1
        }
        guard count > 0 else { return nil }
        let value = Double(digits) / powers[max(0, decimals)]
        return isNegative ? -value : value
    }

    /// Whatever strtod takes for a number, as long as it takes the whole text.
    private static func general(_ text: ArraySlice<UInt8>) -> Double? {
        let terminated = text.map { CChar(bitPattern: $0) } + [0]
        return terminated.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { UnsafePointer($0) } == start + text.count ? value : nil
        }
    }

    private static let zero = UInt8(ascii: "0")
    private static let nine = UInt8(ascii: "9")
    private static let point = UInt8(ascii: ".")
    private static let minus = UInt8(ascii: "-")
}
