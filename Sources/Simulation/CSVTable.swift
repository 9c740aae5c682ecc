import Glibc

/// A table of numbers as comma-separated text: a line of column names, then a row a line; an empty cell is nothing.
struct CSVTable {
    private let file: String
    private let bytes: [UInt8]
    private let columns: [String]
    private let firstRow: Int

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        // Spreadsheets put a byte order mark in front; a zero at the end stops strtod.
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        self.bytes = bytes + [0]
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let header = String(decoding: bytes[..<end], as: UTF8.self)
        columns = header.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        firstRow = end + 1
    }

    /// Where the named columns are; nothing for those that are missing.
    func indices(of names: [String]) -> [Int?] { names.map { columns.firstIndex(of: $0) } }

    /// Calls `body` with each row's cells, those of `indices` alone, and the text of the whole line's number.
    func forEachRow(_ names: [String], _ body: (_ cells: [Double?], _ line: Int) throws(DriveError) -> Void)
        throws(DriveError)
    {
        var targets = [Int?](repeating: nil, count: columns.count)
        for (target, index) in indices(of: names).enumerated() {
            if let index { targets[index] = target }
        }
        var position = firstRow
        var line = 2
        while position < bytes.count - 1 {
            var cells = [Double?](repeating: nil, count: names.count)
            let isBlank = try readRow(from: &position, into: &cells, targets: targets, line: line)
            if !isBlank { try body(cells, line) }
            line += 1
        }
    }

    private func readRow(
        from position: inout Int, into cells: inout [Double?], targets: [Int?], line: Int
    ) throws(DriveError) -> Bool {
        var column = 0
        let start = position
        while true {
            let end = bytes[position...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == 0 }
            let cellEnd = end ?? bytes.count - 1
            if column < targets.count, let target = targets[column] {
                cells[target] = try number(position..<cellEnd, column: column, line: line)
            }
            column += 1
            position = cellEnd + 1
            if bytes[cellEnd] != UInt8(ascii: ",") {
                return bytes[start..<cellEnd].allSatisfy { $0 == UInt8(ascii: "\r") }
            }
        }
    }

    private func number(_ range: Range<Int>, column: Int, line: Int) throws(DriveError) -> Double? {
        let isCarriageReturn = range.count == 1 && bytes[range.lowerBound] == UInt8(ascii: "\r")
        guard !range.isEmpty, !isCarriageReturn else { return nil }
        let (value, used) = bytes.withUnsafeBytes { raw -> (Double, Int) in
            guard let base = raw.baseAddress?.advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self) else {
                return (0, 0)
            }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(base, &end)
            return (value, end.map { UnsafePointer($0) - base } ?? 0)
        }
        let rest = bytes[(range.lowerBound + used)..<max(range.lowerBound + used, range.upperBound)]
        guard used > 0, used <= range.count, rest.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: " ") })
        else {
            let text = String(decoding: bytes[range], as: UTF8.self)
            throw .malformed(
                file: file, line: line, problem: "`\(text)` in column `\(columns[column])` is not a number")
        }
        return value.isFinite ? value : nil
    }
}
