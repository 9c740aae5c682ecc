import CZlib

/// The difference between two states of the engine, small enough for one page.
///
/// The state needs about 1.8 KB, but few of its members change while the vehicle moves. A change contains only these
/// members. zlib compresses them to about 220 bytes, with the end of the old state as the dictionary.
enum StateChange {
    /// Returns the bytes that change `base` into `text`; nil if either text is not a JSON object, or if zlib fails.
    static func bytes(from base: String, to text: String) -> [UInt8]? {
        guard let old = JSONMembers(Array(base.utf8)), let new = JSONMembers(Array(text.utf8)) else { return nil }
        let changed = JSONMembers(new.members.filter { old[$0.key] != $0.value })
        let removed = old.members.filter { new[$0.key] == nil }.map { Array($0.key) }
        let difference = changed.text + [separator] + removed.joined(separator: [separator])
        return ShortText.shrink(difference, with: Array(base.utf8.suffix(dictionarySize)))
    }

    /// Returns the state after a change; nil if the bytes do not belong to `base`.
    static func text(_ bytes: [UInt8], on base: String) -> String? {
        guard let difference = ShortText.expand(bytes, with: Array(base.utf8.suffix(dictionarySize))),
            let old = JSONMembers(Array(base.utf8)),
            let end = difference.firstIndex(of: separator),
            let changed = JSONMembers(Array(difference[..<end]))
        else { return nil }
        let removed = Set(difference[(end + 1)...].split(separator: separator))
        let kept = old.members.filter { changed[$0.key] == nil && !removed.contains($0.key) }
        // The members of a stored state are in the order of their keys.
        let members = (kept + changed.members).sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return String(decoding: JSONMembers(members).text, as: UTF8.self)
    }

    /// JSON contains a line break only as white space, and the stored texts contain no white space.
    private static let separator = UInt8(ascii: "\n")
    /// zlib uses a window of 8 KiB.
    private static let dictionarySize = 8000
}

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

/// The members of a JSON object, in the text's order, each with its key and the text of its value.
///
/// The reader accepts only JSON without white space, in the form that `JSONEncoder` writes. A stored state has this form.
struct JSONMembers: Hashable {
    struct Member: Hashable {
        let key: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
    }

    private(set) var members: [Member] = []

    /// Splits an object; nil if the text is not an object.
    init?(_ text: [UInt8]) {
        guard text.count >= 2, text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") else { return nil }
        var start = 1
        var colon: Int?
        var depth = 0
        var isInText = false
        var index = 1
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\\") where isInText: index += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case _ where isInText: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ":") where depth == 0 && colon == nil: colon = index
            case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "}") where depth == 0 && index == text.count - 1:
                if let at = colon {
                    members.append(Member(key: text[start..<at], value: text[(at + 1)..<index]))
                } else if index != start {
                    return nil
                }
                (start, colon) = (index + 1, nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        guard depth == 0, !isInText else { return nil }
    }

    init(_ members: [Member]) { self.members = members }

    var text: [UInt8] {
        var text = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += member.key
            text.append(UInt8(ascii: ":"))
            text += member.value
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    subscript(key: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { members.first { $0.key == key }?.value }
}
