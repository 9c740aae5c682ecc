/// Decodes JSON that `JSONEncoder` or `QuickEncoder` has written.
///
/// The decoder does not support all JSON: it throws an error for escapes in strings, for white space between values,
/// for numbers in unusual forms, and for values nested more deeply than 32 levels. The caller then uses Foundation's
/// decoder, so this decoder affects only the speed.
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
///
/// Both are constants, because Swift checks each access to a variable of a class at run time.
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
    let tokens: [Token]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        tokens = try TokenScanner.tokens(of: bytes)
    }

    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        try Value(from: TokenDecoder(self, index))
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
