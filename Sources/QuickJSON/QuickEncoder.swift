//  QuickJSON: encodes and decodes JSON faster than Foundation, for the records of a backlog.
//
// This target uses no library, no clock and no file. The encoder writes the same bytes as Foundation's `JSONEncoder` with sorted
// keys and unescaped slashes; the tests compare the two encoders. The decoder supports only a part of JSON: no escapes and no
// white space. For any other text, the callers use Foundation's decoder.

/// Encodes values as JSON in one fixed form: keys sorted by their bytes, slashes not escaped, no white space.
///
/// A value's own function `encode(to:)` determines its form; `Date`, `Data`, `URL` and `Decimal` have no special form.
package enum QuickEncoder {
    /// Returns the JSON of a value; throws an error if one of the value's numbers is not finite.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let text = Text()
        let node = Node()
        try value.encode(to: NodeEncoder(node, text))
        var output: [UInt8] = []
        output.reserveCapacity(text.bytes.count + text.bytes.count / 8 + 16)
        var writer = NodeWriter(text: text.bytes, output: output)
        writer.write(node)
        return writer.output
    }
}

/// The bytes of all scalars and keys, in the order of their encoding.
///
/// Swift checks each access to a variable of a class at run time. For `Text` and `Node`, whose functions never access a variable
/// during another access, these checks are off, because they took a seventh of the time.
final class Text {
    @exclusivity(unchecked) private(set) var bytes: [UInt8] = []

    /// Makes an empty text with room for most records.
    init() { bytes.reserveCapacity(1024) }

    func append(_ string: String) -> Range<Int> { bytes.appendRange { $0.append(quoted: string) } }

    func append(key: String) -> Range<Int> {
        bytes.appendRange { bytes in
            bytes.append(quoted: key)
            bytes.append(UInt8(ascii: ":"))
        }
    }

    func append(literally string: String) -> Range<Int> { bytes.appendRange { $0.append(literally: string) } }

    func append(_ number: Int64) -> Range<Int> { bytes.appendRange { $0.append(number) } }

    func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws -> Range<Int> {
        try bytes.appendRange { try $0.append(number) }
    }
}

extension [UInt8] {
    /// Returns the range of the bytes that `body` appends.
    fileprivate mutating func appendRange(_ body: (inout [UInt8]) throws -> Void) rethrows -> Range<Int> {
        let start = count
        try body(&self)
        return start..<count
    }
}

/// A value that may still receive parts.
final class Node {
    enum Part {
        case scalar(Range<Int>)
        case node(Node)
    }

    /// A member of an object; the text of the key includes the colon.
    struct Member {
        let key: String
        /// The first eight bytes of the key as a number, which is faster to compare than the key.
        private let start: UInt64
        let keyText: Range<Int>
        let part: Part

        init(key: String, keyText: Range<Int>, part: Part) {
            (self.key, self.keyText, self.part) = (key, keyText, part)
            var name = key
            start = name.withUTF8 { utf8 in
                let start = utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
                return start << (8 * UInt64(max(0, 8 - utf8.count)))
            }
        }

        func hasKey(of other: Member) -> Bool { start == other.start && key == other.key }

        /// Whether the member is before another one in the order of the keys' bytes.
        ///
        /// Members with the same key are in the order of their encoding.
        func precedes(_ other: Member) -> Bool {
            guard start == other.start else { return start < other.start }
            guard key == other.key else { return key.utf8.lexicographicallyPrecedes(other.key.utf8) }
            return keyText.lowerBound < other.keyText.lowerBound
        }
    }

    enum Content {
        case empty
        case scalar(Range<Int>)
        case object
        case list
    }

    @exclusivity(unchecked) var content = Content.empty
    @exclusivity(unchecked) var members: [Member] = []
    @exclusivity(unchecked) var parts: [Part] = []
}

/// Writes nodes as JSON.
struct NodeWriter {
    /// The text that the nodes' ranges refer to.
    let text: [UInt8]
    private(set) var output: [UInt8]
    /// The order of the keys in the last object with each number of members, because most objects of a list have the same keys.
    private var orders: [[Int]] = []

    init(text: [UInt8], output: [UInt8]) { (self.text, self.output) = (text, output) }

    mutating func write(_ node: Node) {
        switch node.content {
        // If a value encodes no part, Foundation writes an empty object.
        case .empty: output += [UInt8(ascii: "{"), UInt8(ascii: "}")]
        case .scalar(let range): output += text[range]
        case .object: writeObject(node.members)
        case .list:
            output.append(UInt8(ascii: "["))
            for (index, part) in node.parts.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                write(part)
            }
            output.append(UInt8(ascii: "]"))
        }
    }

    private mutating func write(_ part: Node.Part) {
        switch part {
        case .scalar(let range): output += text[range]
        case .node(let node): write(node)
        }
    }

    private mutating func writeObject(_ members: [Node.Member]) {
        let order = order(of: members)
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for (place, index) in order.enumerated() {
            let member = members[index]
            // If an object has several values for a key, the encoder writes only the last of them.
            if place + 1 < order.count, members[order[place + 1]].hasKey(of: member) { continue }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output += text[member.keyText]
            write(member.part)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Returns the members' indices in the order of the keys.
    private mutating func order(of members: [Node.Member]) -> [Int] {
        while orders.count <= members.count { orders.append([]) }
        let last = orders[members.count]
        let isOrder = !last.isEmpty && zip(last, last.dropFirst()).allSatisfy { members[$0].precedes(members[$1]) }
        if isOrder { return last }
        let order = members.indices.sorted { members[$0].precedes(members[$1]) }
        orders[members.count] = order
        return order
    }
}
