/// Finds the values of a JSON text.
struct TokenScanner {
    private typealias Token = JSONDocument.Token

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONDocument.Limits
    private var tokens: [Token] = []
    private var place = 0
    private var isTooDeep = false

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONDocument.Limits) {
        self.bytes = bytes
        self.limits = limits
        // gpsd's longest lines have six bytes a token.
        tokens.reserveCapacity(min(bytes.count / 6 + 8, limits.values))
    }

    static func tokens(
        of bytes: [UInt8], limits: JSONDocument.Limits
    ) throws(JSONDocument.Fault) -> [JSONDocument.Token] {
        guard bytes.count <= Int32.max else { throw .notJSON }
        let (tokens, isTooDeep) = bytes.withUnsafeBufferPointer { bytes in
            var scanner = TokenScanner(bytes, limits: limits)
            return (scanner.scanText() ? scanner.tokens : nil, scanner.isTooDeep)
        }
        guard let tokens else { throw isTooDeep ? .tooDeep : .notJSON }
        return tokens
    }

    /// Returns whether the text is one value within the limits.
    private mutating func scanText() -> Bool {
        skipBlanks()
        guard scanValue(depth: 0) else { return false }
        skipBlanks()
        return place == bytes.count
    }

    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        place += 1
        return true
    }

    private mutating func scanValue(depth: Int) -> Bool {
        guard let byte, tokens.count < limits.values else { return false }
        switch byte {
        case UInt8(ascii: "{"): return scanParts(.object, until: UInt8(ascii: "}"), depth: depth)
        case UInt8(ascii: "["): return scanParts(.list, until: UInt8(ascii: "]"), depth: depth)
        case UInt8(ascii: "\""): return scanString()
        case UInt8(ascii: "t"): return scanWord("true", .yes)
        case UInt8(ascii: "f"): return scanWord("false", .no)
        case UInt8(ascii: "n"): return scanWord("null", .null)
        default: return scanNumber()
        }
    }

    private mutating func append(_ kind: JSONDocument.Kind, _ range: Range<Int>) {
        let next = Int32(tokens.count + 1)
        tokens.append(Token(kind: kind, start: Int32(range.lowerBound), end: Int32(range.upperBound), next: next))
    }

    private mutating func scanParts(_ kind: JSONDocument.Kind, until end: UInt8, depth: Int) -> Bool {
        guard depth < limits.depth else {
            isTooDeep = true
            return false
        }
        let index = tokens.count
        append(kind, place..<place)
        place += 1
        skipBlanks()
        if !skip(end) {
            repeat {
                skipBlanks()
                if kind == .object {
                    guard scanString() else { return false }
                    skipBlanks()
                    guard skip(UInt8(ascii: ":")) else { return false }
                    skipBlanks()
                }
                guard scanValue(depth: depth + 1) else { return false }
                skipBlanks()
            } while skip(UInt8(ascii: ","))
            guard skip(end) else { return false }
        }
        tokens[index].end = Int32(place)
        tokens[index].next = Int32(tokens.count)
        return true
    }

    private mutating func scanString() -> Bool {
        guard skip(UInt8(ascii: "\"")) else { return false }
        let start = place
        var end = start
        var (hasEscapes, allBytes): (Bool, UInt8) = (false, 0)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            let byte = bytes[end]
            guard byte >= 0x20 else { return false }
            allBytes |= byte
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                end += 1
            }
            end += 1
        }
        place = end
        guard skip(UInt8(ascii: "\"")) else { return false }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        guard allBytes < 0x80 || String(validating: text, as: UTF8.self) != nil else { return false }
        guard !hasEscapes || StringEscapes.decoded(text) != nil else { return false }
        append(hasEscapes ? .escapedString : .string, start..<end)
        return true
    }

    private mutating func scanWord(_ word: StaticString, _ kind: JSONDocument.Kind) -> Bool {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[place..<end].elementsEqual($0) }) else { return false }
        append(kind, place..<end)
        place = end
        return true
    }

    private mutating func scanNumber() -> Bool {
        let start = place
        _ = skip(UInt8(ascii: "-"))
        guard skip(UInt8(ascii: "0")) || skipDigits() else { return false }
        var kind = JSONDocument.Kind.integer
        if skip(UInt8(ascii: ".")) {
            kind = .number
            guard skipDigits() else { return false }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            kind = .number
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            guard skipDigits() else { return false }
        }
        append(kind, start..<place)
        return true
    }

    /// Skips digits; returns whether there was one.
    private mutating func skipDigits() -> Bool {
        let start = place
        while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
        return place > start
    }
}

/// The escapes in strings, RFC 8259, section 7.
enum StringEscapes {
    /// Returns the text; nil if an escape is unknown, or one half of a surrogate pair.
    static func decoded(_ bytes: some RandomAccessCollection<UInt8>) -> String? {
        var text = String.UnicodeScalarView()
        var units: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                units.append(byte)
                continue
            }
            text.append(contentsOf: String(decoding: units, as: UTF8.self).unicodeScalars)
            units.removeAll(keepingCapacity: true)
            guard let scalar = scalar(&rest) else { return nil }
            text.append(scalar)
        }
        text.append(contentsOf: String(decoding: units, as: UTF8.self).unicodeScalars)
        return String(text)
    }

    /// Reads the character behind a backslash.
    private static func scalar<Bytes: RandomAccessCollection<UInt8>>(_ rest: inout Bytes) -> Unicode.Scalar?
    where Bytes == Bytes.SubSequence {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = unit(&rest) else { return nil }
            guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) }
            guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
                let second = unit(&rest), 0xDC00...0xDFFF ~= second
            else { return nil }
            return Unicode.Scalar((first - 0xD800) << 10 + (second - 0xDC00) + 0x10000)
        default: return nil
        }
    }

    /// Reads four hexadecimal digits.
    private static func unit<Bytes: RandomAccessCollection<UInt8>>(_ rest: inout Bytes) -> UInt32?
    where Bytes == Bytes.SubSequence {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch rest.popFirst() {
            case let digit? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit:
                value = value << 4 + UInt32(digit - UInt8(ascii: "0"))
            case let digit? where UInt8(ascii: "a")...UInt8(ascii: "f") ~= digit | 0x20:
                value = value << 4 + UInt32(digit | 0x20 - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}
