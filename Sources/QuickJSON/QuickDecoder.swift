/// Decodes JSON that `JSONEncoder` or `QuickEncoder` has written.
///
/// The decoder does not support all JSON: it throws an error for escapes in strings, for white space between values,
/// and for values nested more deeply than 32 levels. The caller then uses Foundation's decoder, so this decoder affects
/// only the speed.
package enum QuickDecoder {
    /// Decodes a value; throws an error if the decoder does not support the text, or if the text does not match the type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        let document = try Document(Array(text.utf8))
        return try document.decode(type, at: 0)
    }
}

/// The decoder does not support the text, or a value does not have the expected type.
struct UnknownTextError: Error {}

/// A text, and the tokens of its values.
final class Document {
    enum Kind { case null, yes, no, number, string, object, list }

    /// The token of a value; the keys and values of an object, or the elements of a list, are the next tokens in
    /// `tokens`.
    struct Token {
        let kind: Kind
        /// The range `start` ..< `end` contains the bytes of a number, or the bytes between the quotes of a string.
        let start: Int
        var end: Int
        /// The index of the first token after this value and all parts of it.
        var next: Int
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        tokens.reserveCapacity(64)
        var place = 0
        try scanValue(&place, depth: 0)
        guard place == bytes.count else { throw UnknownTextError() }
    }

    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        // A comparison of types is much faster than a failing cast.
        if type == Double.self, let value = try double(at: index) as? Value { return value }
        if type == String.self, let value = try string(at: index) as? Value { return value }
        if type == Bool.self, let value = try bool(at: index) as? Value { return value }
        if type == Int.self, let value = try integer(Int.self, at: index) as? Value { return value }
        if type == Int64.self, let value = try integer(Int64.self, at: index) as? Value { return value }
        return try Value(from: TokenDecoder(self, index))
    }

    func isNull(_ index: Int) -> Bool { tokens[index].kind == .null }

    func bool(at index: Int) throws -> Bool {
        switch tokens[index].kind {
        case .yes: return true
        case .no: return false
        case .null, .number, .string, .object, .list: throw UnknownTextError()
        }
    }

    func string(at index: Int) throws -> String {
        let token = tokens[index]
        guard token.kind == .string else { throw UnknownTextError() }
        return String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }

    func integer<Integer: FixedWidthInteger>(_: Integer.Type, at index: Int) throws -> Integer {
        let token = tokens[index]
        guard token.kind == .number,
            let value = Integer(String(decoding: bytes[token.start..<token.end], as: UTF8.self))
        else { throw UnknownTextError() }
        return value
    }

    func double(at index: Int) throws -> Double {
        let token = tokens[index]
        guard token.kind == .number else { throw UnknownTextError() }
        if let exact = exactDouble(token) { return exact }
        guard let value = Double(String(decoding: bytes[token.start..<token.end], as: UTF8.self)), value.isFinite else {
            throw UnknownTextError()
        }
        return value
    }

    /// Returns a number of at most 16 characters whose digits without the point are below 2^53; nil for any other
    /// number.
    ///
    /// Both the digits without the point and the power of ten are exact, so their quotient is the nearest number (Clinger, "How to
    /// read floating point numbers accurately", 1990).
    private func exactDouble(_ token: Token) -> Double? {
        guard token.end - token.start <= 16 else { return nil }
        var digits = 0
        var decimals = 0
        var isFraction = false
        for place in token.start..<token.end {
            switch bytes[place] {
            case UInt8(ascii: "-") where place == token.start: continue
            case UInt8(ascii: ".") where !isFraction: isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int(bytes[place] - UInt8(ascii: "0"))
                if isFraction { decimals += 1 }
            default: return nil
            }
        }
        guard digits < 1 << 53 else { return nil }
        let number = Double(digits) / Self.powers[decimals]
        return bytes[token.start] == UInt8(ascii: "-") ? -number : number
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]
}

// MARK: - Finding the values

extension Document {
    private static let deepest = 32

    private func scanValue(_ place: inout Int, depth: Int) throws {
        guard place < bytes.count, depth < Self.deepest else { throw UnknownTextError() }
        switch bytes[place] {
        case UInt8(ascii: "{"): try scanParts(.object, until: UInt8(ascii: "}"), &place, depth: depth)
        case UInt8(ascii: "["): try scanParts(.list, until: UInt8(ascii: "]"), &place, depth: depth)
        case UInt8(ascii: "\""): try scanString(&place)
        case UInt8(ascii: "t"): try scanWord("true", .yes, &place)
        case UInt8(ascii: "f"): try scanWord("false", .no, &place)
        case UInt8(ascii: "n"): try scanWord("null", .null, &place)
        default: try scanNumber(&place)
        }
    }

    private func scanParts(_ kind: Kind, until end: UInt8, _ place: inout Int, depth: Int) throws {
        let index = tokens.count
        tokens.append(Token(kind: kind, start: place, end: place, next: 0))
        place += 1
        if place < bytes.count, bytes[place] == end {
            place += 1
        } else {
            while true {
                if kind == .object {
                    try scanString(&place)
                    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { throw UnknownTextError() }
                    place += 1
                }
                try scanValue(&place, depth: depth + 1)
                guard place < bytes.count else { throw UnknownTextError() }
                place += 1
                if bytes[place - 1] == end { break }
                guard bytes[place - 1] == UInt8(ascii: ",") else { throw UnknownTextError() }
            }
        }
        tokens[index].end = place
        tokens[index].next = tokens.count
    }

    private func scanString(_ place: inout Int) throws {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw UnknownTextError() }
        let start = place + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] >= 32, bytes[end] != UInt8(ascii: "\\") else { throw UnknownTextError() }
            end += 1
        }
        guard end < bytes.count else { throw UnknownTextError() }
        tokens.append(Token(kind: .string, start: start, end: end, next: tokens.count + 1))
        place = end + 1
    }

    private func scanWord(_ word: StaticString, _ kind: Kind, _ place: inout Int) throws {
        let end = place + word.utf8CodeUnitCount
        let isWord = word.withUTF8Buffer { end <= bytes.count && bytes[place..<end].elementsEqual($0) }
        guard isWord else { throw UnknownTextError() }
        tokens.append(Token(kind: kind, start: place, end: end, next: tokens.count + 1))
        place = end
    }

    private func scanNumber(_ place: inout Int) throws {
        let start = place
        while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
        // Foundation's decoder must read numbers in any other form.
        let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        guard first < place, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[first]),
            bytes[first] != UInt8(ascii: "0") || first + 1 == place || bytes[first + 1] == UInt8(ascii: "."),
            bytes[place - 1] != UInt8(ascii: ".")
        else { throw UnknownTextError() }
        tokens.append(Token(kind: .number, start: start, end: place, next: tokens.count + 1))
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "e"),
            UInt8(ascii: "+"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
