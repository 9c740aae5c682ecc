/// Finds the values of a JSON text; throws an error if `QuickDecoder` does not support the text.
struct TokenScanner {
    private let bytes: [UInt8]
    private var tokens: [Document.Token] = []
    /// The index of the next byte.
    private var place = 0

    private static let deepest = 32

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens.reserveCapacity(64)
    }

    /// Returns the tokens of a text that consists of one value.
    static func tokens(of bytes: [UInt8]) throws -> [Document.Token] {
        var scanner = TokenScanner(bytes)
        try scanner.scanValue(depth: 0)
        guard scanner.place == bytes.count else { throw UnknownTextError() }
        return scanner.tokens
    }

    private mutating func scanValue(depth: Int) throws {
        guard place < bytes.count, depth < Self.deepest else { throw UnknownTextError() }
        switch bytes[place] {
        case UInt8(ascii: "{"): try scanParts(.object, until: UInt8(ascii: "}"), depth: depth)
        case UInt8(ascii: "["): try scanParts(.list, until: UInt8(ascii: "]"), depth: depth)
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "t"): try scanWord("true", .yes)
        case UInt8(ascii: "f"): try scanWord("false", .no)
        case UInt8(ascii: "n"): try scanWord("null", .null)
        default: try scanNumber()
        }
    }

    private mutating func scanParts(_ kind: Document.Kind, until end: UInt8, depth: Int) throws {
        let index = tokens.count
        tokens.append(Document.Token(kind: kind, start: place, end: place, next: 0))
        place += 1
        if place < bytes.count, bytes[place] == end {
            place += 1
        } else {
            while true {
                if kind == .object {
                    try scanString()
                    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { throw UnknownTextError() }
                    place += 1
                }
                try scanValue(depth: depth + 1)
                guard place < bytes.count else { throw UnknownTextError() }
                place += 1
                if bytes[place - 1] == end { break }
                guard bytes[place - 1] == UInt8(ascii: ",") else { throw UnknownTextError() }
            }
        }
        tokens[index].end = place
        tokens[index].next = tokens.count
    }

    private mutating func scanString() throws {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw UnknownTextError() }
        let start = place + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] >= 32, bytes[end] != UInt8(ascii: "\\") else { throw UnknownTextError() }
            end += 1
        }
        guard end < bytes.count else { throw UnknownTextError() }
        tokens.append(Document.Token(kind: .string, start: start, end: end, next: tokens.count + 1))
        place = end + 1
    }

    private mutating func scanWord(_ word: StaticString, _ kind: Document.Kind) throws {
        let end = place + word.utf8CodeUnitCount
        let isWord = word.withUTF8Buffer { end <= bytes.count && bytes[place..<end].elementsEqual($0) }
        guard isWord else { throw UnknownTextError() }
        tokens.append(Document.Token(kind: kind, start: place, end: end, next: tokens.count + 1))
        place = end
    }

    private mutating func scanNumber() throws {
        let start = place
        while place < bytes.count, Self.isOfNumber(bytes[place]) { place += 1 }
        // The caller uses Foundation's decoder for numbers in any other form.
        let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        guard first < place, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[first]),
            bytes[first] != UInt8(ascii: "0") || first + 1 == place || bytes[first + 1] == UInt8(ascii: "."),
            bytes[place - 1] != UInt8(ascii: ".")
        else { throw UnknownTextError() }
        tokens.append(Document.Token(kind: .number, start: start, end: place, next: tokens.count + 1))
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
