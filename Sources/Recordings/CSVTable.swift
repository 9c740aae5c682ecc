import Glibc
import Quantities

/// A table of numbers in CSV: the names of the columns in the first line, and then the rows. An empty cell is nil.
struct CSVTable {
    private let file: String
    private let bytes: [UInt8]
    private let columns: [String]
    private let firstRow: Int

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        // Spreadsheet programs write a byte order mark.
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        self.bytes = bytes
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let header = String(decoding: bytes[start..<end], as: UTF8.self)
        columns = header.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        firstRow = min(end + 1, bytes.count)
    }

    func indices(of names: [String]) -> [Int?] { names.map { columns.firstIndex(of: $0) } }

    /// Passes the cells of the columns `names` and the number of the line, for each row that is not blank.
    func forEachRow(_ names: [String], _ body: (_ cells: [Double?], _ line: Int) throws(DriveError) -> Void)
        throws(DriveError)
    {
        var targets = [Int?](repeating: nil, count: columns.count)
        for (target, index) in indices(of: names).enumerated() {
            if let index { targets[index] = target }
        }
        var position = firstRow
        var line = 2
        var cells = [Double?](repeating: nil, count: names.count)
        while position < bytes.count {
            for index in cells.indices { cells[index] = nil }
            let isBlank = try readRow(from: &position, into: &cells, targets: targets, line: line)
            if !isBlank { try body(cells, line) }
            line += 1
        }
    }

    /// Moves `position` to the next row, and returns whether this one is blank.
    private func readRow(
        from position: inout Int, into cells: inout [Double?], targets: [Int?], line: Int
    ) throws(DriveError) -> Bool {
        var column = 0
        while true {
            let start = position
            var end = start
            while end < bytes.count, bytes[end] != Self.comma, bytes[end] != Self.newline { end += 1 }
            if end > start, column < targets.count, let target = targets[column] {
                cells[target] = try number(start..<end, column: column, line: line)
            }
            position = end + 1
            if end == bytes.count || bytes[end] == Self.newline {
                return column == 0 && (end == start || (end == start + 1 && bytes[start] == Self.carriageReturn))
            }
            column += 1
        }
    }

    private func number(_ cell: Range<Int>, column: Int, line: Int) throws(DriveError) -> Double? {
        var end = cell.upperBound
        while end > cell.lowerBound, bytes[end - 1] == Self.carriageReturn || bytes[end - 1] == Self.space { end -= 1 }
        guard end > cell.lowerBound else { return nil }
        guard let value = DecimalNumber.value(of: bytes, in: cell.lowerBound..<end) else {
            let text = String(decoding: bytes[cell].prefix(1000), as: UTF8.self).printable(limit: 40)
            throw .malformed(
                file: file, line: line, problem: "`\(text)` in column `\(columns[column])` is not a number")
        }
        return value.isFinite ? value : nil
    }

    private static let comma = UInt8(ascii: ",")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")
}

/// Recordings have millions of numbers, so a fast function parses the simple ones, and strtod only the others.
enum DecimalNumber {
    /// Up to this count, the digits and the power of ten are exact as `Double`, and one division rounds correctly.
    private static let exactDigits = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The nearest `Double`; nil if the text is not a number.
    static func value(of bytes: [UInt8], in range: Range<Int>) -> Double? {
        range.isEmpty ? nil : plain(bytes, range) ?? general(bytes[range])
    }

    /// Digits with at most one point, after a minus or not; nil for other texts, and for more than `exactDigits` digits.
    private static func plain(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
        let isNegative = bytes[range.lowerBound] == minus
        var position = isNegative ? range.lowerBound + 1 : range.lowerBound
        var digits = 0
        var count = 0
        var decimals = -1
        // A plain loop over bytes is fast, and this one runs for each cell.
        while position < range.upperBound {
            let byte = bytes[position]
            if byte >= zero, byte <= nine {
                digits = digits * 10 + Int(byte - zero)
                count += 1
                if decimals >= 0 { decimals += 1 }
            } else if byte == point, decimals < 0 {
                decimals = 0
            } else {
                return nil
            }
            guard count <= exactDigits else { return nil }
            position += 1
        }
        guard count > 0 else { return nil }
        let value = Double(digits) / powers[max(0, decimals)]
        return isNegative ? -value : value
    }

    /// Nil if strtod does not accept the whole text.
    private static func general(_ text: ArraySlice<UInt8>) -> Double? {
        let terminated = text.map { CChar(bitPattern: $0) } + [0]
        return terminated.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { UnsafePointer($0) } == start + text.count ? value : nil
        }
    }

    private static let zero = UInt8(ascii: "0")
    private static let nine = UInt8(ascii: "9")
    private static let point = UInt8(ascii: ".")
    private static let minus = UInt8(ascii: "-")
}
