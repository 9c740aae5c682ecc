import Quantities

/// Makes UUIDs of version 7 (RFC 9562): the time in front, so that they sort, and chance behind.
enum RecordIdentity {
    static func uuid(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xffff_ffff_ffff
        let (first, second) = (generator.next() as UInt64, generator.next() as UInt64)
        let high = milliseconds << 16 | 0x7000 | first & 0x0fff
        let low = 0x8000_0000_0000_0000 | second >> 2
        let digits = hexadecimal(high) + hexadecimal(low)
        let lengths = [8, 4, 4, 4, 12]
        var rest = digits[...]
        return lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
