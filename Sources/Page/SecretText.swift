import CSodium

/// Makes secrets from random bytes.
enum SecretText {
    /// Returns 64 hexadecimal digits from 32 random bytes.
    static func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        csodium_random(&bytes, bytes.count)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
