/// A JSON text, split into its words and its numbers.
///
/// Most records have the same words, so zlib compresses the words to a few bytes. zlib finds no pattern in the numbers,
/// and would use a byte for each digit; here, one byte contains two digits.
struct NumberedText: Hashable {
    /// The text, with `mark` in place of each number.
    private(set) var words: [UInt8] = []
    /// The characters of all numbers, two in each byte; the code `end` follows each number.
    private(set) var numbers: [UInt8] = []

    /// A character that no JSON text contains, because JSON escapes it in strings.
    private static let mark: UInt8 = 1
    /// The characters that a number may contain.
    ///
    /// The code of a character is its index in this list; the next higher code, `end`, marks the end of a number.
    private static let characters = Array("0123456789.-+eE".utf8)
    private static let end: UInt8 = 15

    /// Splits a text into words and numbers; `text` joins them again.
    init(_ text: [UInt8]) {
        var digits: [UInt8] = []
        var isInText = false
        var isEscaped = false
        var isInNumber = false
        for byte in text {
            let digit = isInText ? nil : Self.digit(of: byte, isFirst: !isInNumber)
            if let digit {
                if !isInNumber { words.append(Self.mark) }
                digits.append(digit)
            } else {
                if isInNumber { digits.append(Self.end) }
                words.append(byte)
                if byte == UInt8(ascii: "\""), !isEscaped { isInText.toggle() }
                isEscaped = isInText && byte == UInt8(ascii: "\\") && !isEscaped
            }
            isInNumber = digit != nil
        }
        if isInNumber { digits.append(Self.end) }
        if !digits.count.isMultiple(of: 2) { digits.append(Self.end) }
        numbers = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    init(words: [UInt8], numbers: [UInt8]) { (self.words, self.numbers) = (words, numbers) }

    /// The whole text; nil if the text has fewer numbers than marks.
    var text: [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(words.count + 2 * numbers.count)
        let characters = Self.characters
        var place = 0
        for byte in words {
            guard byte == Self.mark else {
                text.append(byte)
                continue
            }
            while true {
                guard place < 2 * numbers.count else { return nil }
                let pair = numbers[place / 2]
                let digit = place.isMultiple(of: 2) ? pair >> 4 : pair & 15
                place += 1
                if digit == Self.end { break }
                text.append(characters[Int(digit)])
            }
        }
        return text
    }

    /// Returns the code of a character; nil if the character is not part of a number, such as the `e` in `true`.
    private static func digit(of byte: UInt8, isFirst: Bool) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "-"): 11
        case UInt8(ascii: ".") where !isFirst: 10
        case UInt8(ascii: "+") where !isFirst: 12
        case UInt8(ascii: "e") where !isFirst: 13
        case UInt8(ascii: "E") where !isFirst: 14
        default: nil
        }
    }
}
