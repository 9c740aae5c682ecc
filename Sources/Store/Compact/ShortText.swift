import CZlib

/// Shrinks texts that repeat much of a dictionary, and restores them.
///
/// A record of 260 bytes shrinks to about 65 bytes. A commit that changes fewer pages wears the card less.
enum ShortText {
    /// The largest text in bytes.
    ///
    /// A state with thousands of waypoints is far smaller; damaged bytes may claim any size.
    private static let largest = 16 << 20

    /// Returns the shrunk text; nil if zlib runs out of memory.
    static func shrink(_ text: [UInt8], with dictionary: [UInt8]) -> [UInt8]? {
        // A text that cannot be shrunk grows by a few bytes per 16 KiB.
        let capacity = text.count + text.count / 1000 + 64
        var made = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            made = dictionary.withUnsafeBufferPointer { dictionary in
                czlib_shrink(
                    czlib_dictionary(bytes: dictionary.baseAddress, count: dictionary.count), text, text.count,
                    buffer.baseAddress, capacity)
            }
            count = max(0, made)
        }
        return made > 0 ? bytes : nil
    }

    /// Returns the text that `shrink` made into these bytes; nil if they are damaged.
    static func expand(_ bytes: some Collection<UInt8>, with dictionary: [UInt8]) -> [UInt8]? {
        let bytes = Array(bytes)
        var capacity = 2048
        while capacity <= largest {
            var made = 0
            let text = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                made = dictionary.withUnsafeBufferPointer { dictionary in
                    czlib_expand(
                        czlib_dictionary(bytes: dictionary.baseAddress, count: dictionary.count), bytes, bytes.count,
                        buffer.baseAddress, capacity)
                }
                count = max(0, made)
            }
            if made >= 0 { return text }
            guard made == -2 else { return nil }
            capacity *= 4
        }
        return nil
    }

    /// Returns the CRC-32 of a text.
    static func checksum(_ text: [UInt8]) -> Int64 { Int64(crc32(0, text, uInt(text.count))) }
}
