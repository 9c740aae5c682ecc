import Glibc

/// Reads decimal numbers from bytes, most of them without a library's help: recordings have millions.
enum DecimalNumber {
    /// Up to this many digits, and powers of ten, both are exact as `Double`, so that one division rounds rightly.
    private static let exactDigits = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The nearest number to what is written; nothing when it is none.
    static func value(of text: ArraySlice<UInt8>) -> Double? { plain(text) ?? general(text) }

    /// Digits with at most a sign and a point; nothing when there is anything else, or too much of it.
    private static func plain(_ text: ArraySlice<UInt8>) -> Double? {
        var digits: Int64 = 0
        var count = 0
        var decimals: Int?
        var isNegative = false
        for (offset, byte) in zip(0..., text) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                count += 1
                guard count <= exactDigits else { return nil }
                if let known = decimals { decimals = known + 1 }
            case UInt8(ascii: ".") where decimals == nil: decimals = 0
            case UInt8(ascii: "-") where offset == 0: isNegative = true
            default: return nil
            }
        }
        guard count > 0 else { return nil }
        let value = Double(digits) / powers[decimals ?? 0]
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
}
