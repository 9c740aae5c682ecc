/// A table of numbers as comma-separated text: a line of column names, then a row a line; an empty cell is nothing.
struct CSVTable {
    private let file: String
    private let bytes: [UInt8]
    private let columns: [String]
    private let firstRow: Int

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        // Spreadsheets put a byte order mark in front.
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        self.bytes = bytes
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let header = String(decoding: bytes[start..<end], as: UTF8.self)
        columns = header.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        firstRow = min(end + 1, bytes.count)
    }

    /// Where the named columns are; nothing for those that are missing.
    func indices(of names: [String]) -> [Int?] { names.map { columns.firstIndex(of: $0) } }

    /// Calls `body` with each row's cells, those of `names` alone and in their order, and the line's number.
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

    /// Reads the row that begins at `position`, and goes on behind it; tells whether nothing was in it.
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
            let text = String(decoding: bytes[cell], as: UTF8.self)
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
