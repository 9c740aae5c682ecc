import FoundationEssentials
import Glibc
import Quantities

final class LineWriter {
    private let descriptor: Int32
    private let encoder = JSONEncoder()
    private let path: String
    private var buffer: [UInt8] = []
    private(set) var failure: OutputError?

    /// Empties an existing file; nil stands for standard output.
    init(_ path: String?) throws(OutputError) {
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.path = path ?? "standard output"
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw OutputError(path: path, cause: String(cString: strerror(errno))) }
    }

    /// The line may stay in the buffer until `flush`.
    func write(_ line: some Encodable) {
        guard let data = try? encoder.encode(line) else { return }
        buffer += data
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { flush() }
    }

    func write(text: String) { buffer += Array("\(text)\n".utf8) }

    func write(raw text: String) { buffer += Array(text.utf8) }

    /// Writes each text as one printable line.
    func write(foreign lines: [String]) {
        for line in lines { write(text: line.printable(limit: Self.longestForeignLine)) }
    }

    /// Enough for the hundred region names of a record; a longer line is cut.
    private static let longestForeignLine = 30_000

    func finish() throws(OutputError) {
        flush()
        if let failure { throw failure }
    }

    func flush() {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                failure = OutputError(path: path, cause: String(cString: strerror(errno)))
                break
            }
            rest = rest.dropFirst(max(0, count))
        }
        buffer = []
    }
}

struct OutputError: Error, Hashable, CustomStringConvertible {
    let path: String
    let cause: String

    var description: String {
        "\(path): trackerd cannot write the output (\(cause)). Check the disk, the folder and the permissions."
    }
}

extension LineWriter {
    /// Writes an answer to standard output, as JSON or as printable lines.
    static func write(_ answer: some Encodable, asJSON: Bool, orLines lines: @autoclosure () -> [String]) throws {
        let writer = try LineWriter(nil)
        if asJSON { writer.write(answer) } else { writer.write(foreign: lines()) }
        try writer.finish()
    }

    /// Writes a line to standard error; a failure has no effect.
    static func writeNote(_ text: String) {
        let line = "\(text)\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
    }
}

enum TextTable {
    /// The rows as lines without spaces at the end; the columns `right`, such as those of numbers, are aligned right.
    static func lines(_ rows: [[String]], right: Set<Int>) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return right.contains(column) ? space + cell : cell + space
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// Ends a command with one message: what it attempted, what happened, and the remedy.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
