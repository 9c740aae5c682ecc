//  QuickJSON: encodes and decodes JSON faster than Foundation, for the records of a backlog.
//
// This target uses no library, no clock and no file. The encoder writes the same bytes as Foundation's `JSONEncoder` with sorted
// keys and unescaped slashes; the tests compare the two encoders. The decoder reads only JSON that trackerd itself writes; the
// callers use Foundation's decoder for any other text.

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
        node.write(to: &output, from: text.bytes)
        return output
    }
}

/// A number that JSON cannot express.
struct NotFiniteError: Error {}

/// The bytes of all scalars and keys, in the order in which they were encoded.
final class Text {
    var bytes: [UInt8] = []

    func append(_ string: String) -> Range<Int> {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { appendEscaped(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
        return start..<bytes.count
    }

    func append(key: String) -> Range<Int> {
        let range = append(key)
        bytes.append(UInt8(ascii: ":"))
        return range.lowerBound..<bytes.count
    }

    func append(literally string: String) -> Range<Int> {
        let start = bytes.count
        var string = string
        string.withUTF8 { bytes.append(contentsOf: $0) }
        return start..<bytes.count
    }

    func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws -> Range<Int> {
        guard number.isFinite else { throw NotFiniteError() }
        let range = append(literally: number.description)
        // Foundation writes a whole number without a fraction.
        guard bytes.count - range.lowerBound > 2, bytes[bytes.count - 2] == UInt8(ascii: "."),
            bytes[bytes.count - 1] == UInt8(ascii: "0")
        else { return range }
        bytes.removeLast(2)
        return range.lowerBound..<bytes.count
    }

    private func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 8: bytes += Array(#"\b"#.utf8)
        case 9: bytes += Array(#"\t"#.utf8)
        case 10: bytes += Array(#"\n"#.utf8)
        case 12: bytes += Array(#"\f"#.utf8)
        case 13: bytes += Array(#"\r"#.utf8)
        case 0..<32:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array(#"\u00"#.utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
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
        let keyText: Range<Int>
        let part: Part
    }

    enum Content {
        case empty
        case scalar(Range<Int>)
        case object
        case list
    }

    var content = Content.empty
    var members: [Member] = []
    var parts: [Part] = []

    func write(to output: inout [UInt8], from text: [UInt8]) {
        switch content {
        // If a value encodes no part, Foundation writes an empty object.
        case .empty: output += [UInt8(ascii: "{"), UInt8(ascii: "}")]
        case .scalar(let range): output += text[range]
        case .object: writeObject(to: &output, from: text)
        case .list:
            output.append(UInt8(ascii: "["))
            for (index, part) in parts.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                part.write(to: &output, from: text)
            }
            output.append(UInt8(ascii: "]"))
        }
    }

    private func writeObject(to output: inout [UInt8], from text: [UInt8]) {
        members.sort {
            $0.key == $1.key
                ? $0.keyText.lowerBound < $1.keyText.lowerBound : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for (index, member) in members.enumerated() {
            // If an object has several values for a key, the encoder writes only the last of them.
            if index + 1 < members.count, members[index + 1].key == member.key { continue }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output += text[member.keyText]
            member.part.write(to: &output, from: text)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension Node.Part {
    func write(to output: inout [UInt8], from text: [UInt8]) {
        switch self {
        case .scalar(let range): output += text[range]
        case .node(let node): node.write(to: &output, from: text)
        }
    }
}
