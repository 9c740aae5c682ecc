/// Writes JSON in the order of the calls, without white space; slashes are not escaped.
///
/// The caller writes the members of each object in the order of their keys' bytes, which is also the order of the members of a
/// `JSONValue`.
package struct JSONWriter {
    /// The text so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// The members follow, each as a key and a value.
    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }
    package mutating func beginList() { begin(UInt8(ascii: "[")) }
    package mutating func endList() { bytes.append(UInt8(ascii: "]")) }

    package mutating func write(key: JSONKey) {
        separate()
        bytes += key.bytes
    }

    package mutating func write(_ text: String) {
        separate()
        bytes.append(quoted: text)
    }

    package mutating func write(_ flag: Bool) {
        separate()
        bytes.append(literally: flag ? "true" : "false")
    }

    package mutating func write(_ number: Int64) {
        separate()
        bytes.append(number)
    }

    package mutating func write(_ number: UInt64) {
        separate()
        bytes.append(literally: number.description)
    }

    /// Writes a number rounded to at most 22 digits after the point; throws an error if the number is not finite.
    package mutating func write(_ number: Double, decimals: Int) throws {
        separate()
        try bytes.append(number, decimals: decimals)
    }

    package mutating func writeNull() {
        separate()
        bytes.append(literally: "null")
    }

    /// Writes a value, each number in its shortest form; throws an error if one of its numbers is not finite.
    package mutating func write(_ value: JSONValue) throws {
        switch value {
        case .null: writeNull()
        case .flag(let flag): write(flag)
        case .integer(let number): write(number)
        case .number(let number):
            separate()
            try bytes.append(number)
        case .text(let text): write(text)
        case .list(let list):
            beginList()
            for element in list { try write(element) }
            endList()
        case .object(let members):
            beginObject()
            for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                separate()
                bytes.append(quoted: key)
                bytes.append(UInt8(ascii: ":"))
                try write(member)
            }
            endObject()
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
    }

    /// Writes a comma, unless nothing or an opening bracket or a key precedes.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}

/// The key of an object's member, as JSON text.
package struct JSONKey: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    /// The quoted key and the colon.
    let bytes: [UInt8]

    package init(_ name: String) {
        var bytes: [UInt8] = []
        bytes.append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
        self.bytes = bytes
    }

    package init(stringLiteral name: String) { self.init(name) }

    package static func < (left: JSONKey, right: JSONKey) -> Bool {
        // Without the quote and the colon at the end: a space sorts before the quote, so `a b` would come before `a`.
        left.bytes.dropLast(2).lexicographicallyPrecedes(right.bytes.dropLast(2))
    }
}
