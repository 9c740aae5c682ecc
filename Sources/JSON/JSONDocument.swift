//  JSON: the bounded reader and the writer of JSON (RFC 8259). It uses neither Foundation nor a C library.
//
// The reader accepts a text as a whole or not at all: it checks the grammar, the depth, the number of values, UTF-8 and the
// escapes before anything uses a value. Start reading here.

/// A JSON text that was read completely.
package final class JSONDocument: Sendable {
    /// The bounds of a text; the caller must limit its length in bytes.
    package struct Limits: Sendable {
        /// The deepest nesting of objects and lists.
        package var depth: Int
        /// The largest number of values and keys.
        package var values: Int

        package init(depth: Int = 32, values: Int = 20_000) {
            self.depth = depth
            self.values = values
        }
    }

    enum Kind: UInt8 { case null, yes, no, integer, number, string, escapedString, object, list }

    /// A value, or a key of an object; the parts of an object or a list are the next tokens.
    struct Token {
        var kind: Kind
        /// `start` ..< `end` is the range of the bytes of a number, or of those between the quotation marks of a
        /// string.
        var start: Int32
        var end: Int32
        /// The index of the first token after this value and all parts of it.
        var next: Int32
    }

    package enum Fault: Error { case notJSON, tooDeep }

    let bytes: [UInt8]
    let tokens: [Token]

    /// Reads a text of at most 2 GiB; nil if it is not JSON, or beyond the limits.
    package init?(_ bytes: [UInt8], limits: Limits = Limits()) {
        guard let tokens = try? TokenScanner.tokens(of: bytes, limits: limits) else { return nil }
        self.bytes = bytes
        self.tokens = tokens
    }

    /// Reads a text of at most 2 GiB; a longer one, or one with too many values, is `notJSON` too.
    package init(reading bytes: [UInt8], limits: Limits) throws(Fault) {
        tokens = try TokenScanner.tokens(of: bytes, limits: limits)
        self.bytes = bytes
    }

    /// Returns the index of the first key in the object that equals `key`; nil if there is none.
    fileprivate func index(of key: StaticString, in object: Int) -> Int? {
        tokens.withUnsafeBufferPointer { tokens in
            bytes.withUnsafeBufferPointer { bytes in
                let end = Int(tokens[object].next)
                let (text, length) = (key.utf8Start, key.utf8CodeUnitCount)
                var place = object + 1
                while place < end {
                    let token = tokens[place]
                    if token.kind == .string {
                        let start = Int(token.start)
                        if Int(token.end) - start == length, (0..<length).allSatisfy({ bytes[start + $0] == text[$0] })
                        {
                            return place
                        }
                    } else if JSONValueView(document: self, index: place).string == key.description {
                        return place
                    }
                    place = Int(tokens[place + 1].next)
                }
                return nil
            }
        }
    }

    package var root: JSONValueView { JSONValueView(document: self, index: 0) }
}

/// A value of a document; a property for another type than the value's is nil.
package struct JSONValueView: Sendable {
    private let document: JSONDocument
    private let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// Nil if this value is no object, or if the key is missing. If a key occurs twice, the first counts.
    package subscript(key: StaticString) -> JSONValueView? {
        guard token.kind == .object, let place = document.index(of: key, in: index) else { return nil }
        return JSONValueView(document: document, index: place + 1)
    }

    /// The keys of an object and their values, in the order of the text.
    package var members: [(key: String, value: JSONValueView)]? {
        guard token.kind == .object else { return nil }
        var members: [(key: String, value: JSONValueView)] = []
        var place = index + 1
        while place < token.next {
            let key = JSONValueView(document: document, index: place).string ?? ""
            members.append((key, JSONValueView(document: document, index: place + 1)))
            place = Int(document.tokens[place + 1].next)
        }
        return members
    }

    package var elements: [JSONValueView]? {
        guard token.kind == .list else { return nil }
        var elements: [JSONValueView] = []
        var place = index + 1
        while place < token.next {
            elements.append(JSONValueView(document: document, index: place))
            place = Int(document.tokens[place].next)
        }
        return elements
    }

    package var isObject: Bool { token.kind == .object }
    package var isNull: Bool { token.kind == .null }

    package var bool: Bool? {
        switch token.kind {
        case .yes: true
        case .no: false
        case .null, .integer, .number, .string, .escapedString, .object, .list: nil
        }
    }

    package var string: String? {
        switch token.kind {
        case .string: String(decoding: text, as: UTF8.self)
        case .escapedString: StringEscapes.decoded(text)
        case .null, .yes, .no, .integer, .number, .object, .list: nil
        }
    }

    /// The value of a number without a fraction, such as `12` or `1.2e1`.
    package var integer: Int? {
        switch token.kind {
        case .integer: Int(String(decoding: text, as: UTF8.self))
        case .number: double.flatMap { Int(exactly: $0) }
        case .null, .yes, .no, .string, .escapedString, .object, .list: nil
        }
    }

    /// The nearest value of a number; nil also if it is beyond the range of `Double`.
    package var double: Double? {
        guard token.kind == .integer || token.kind == .number else { return nil }
        if let exact = Self.quotient(text) { return exact }
        return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    private var token: JSONDocument.Token { document.tokens[index] }

    private var text: ArraySlice<UInt8> { document.bytes[Int(token.start)..<Int(token.end)] }

    /// Returns a number of at most 16 characters whose digits without the point are below 2^53; nil for any other number.
    ///
    /// The digits without the point and the power of ten are both exact, so their quotient is the nearest number (Clinger, "How
    /// to read floating point numbers accurately", 1990).
    private static func quotient(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= 16 else { return nil }
        var digits = 0
        var decimals = 0
        var isFraction = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
                if isFraction { decimals += 1 }
            default: return nil
            }
        }
        guard digits < 1 << 53 else { return nil }
        let number = Double(digits) / powers[decimals]
        return text.first == UInt8(ascii: "-") ? -number : number
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]
}
