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
