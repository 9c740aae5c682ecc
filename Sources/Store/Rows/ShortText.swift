import CZlib

/// Compresses texts that have much in common with a dictionary, and expands them.
///
/// The compressed form of a record of 260 bytes has about 65 bytes. A commit then changes fewer pages, which reduces
/// wear of the card.
enum ShortText {
    /// The maximum size of the buffer for a text, in bytes.
    ///
    /// The buffer starts with 2 KiB and grows by a factor of 4, so the largest buffer has 8 MiB.
    ///
    /// Even a state with thousands of waypoints is far smaller, but damaged bytes may state any size.
    private static let largest = 16 << 20

    /// Returns the compressed text; nil if zlib runs out of memory.
    static func shrink(_ text: [UInt8], with dictionary: [UInt8]) -> [UInt8]? {
        // A text that zlib cannot compress grows by a few bytes per 16 KiB.
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

    /// Returns the text from which `shrink` made these bytes; nil if the bytes are damaged.
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
