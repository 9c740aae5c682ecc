internal import FoundationEssentials

/// JSON in one form only: keys sorted, slashes bare, no white space.
enum JSONBytes {
    /// Writes a value; nothing when one of its numbers is not finite.
    static func encode(_ value: some Encodable) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { [UInt8]($0) }
    }
}

extension Double {
    /// The number to this many digits after the point, in binary as close as it can be to that.
    func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }

    /// The nearest whole number; nothing when it is not finite or does not fit.
    var wholeNumber: Int? { Int(exactly: rounded()) }
}
