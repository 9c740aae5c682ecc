import FoundationEssentials
import Glibc
import Quantities

/// Writes JSON objects or text, in lines, to a file or to standard output.
final class LineWriter {
    private let descriptor: Int32
    private let encoder = JSONEncoder()
    private let path: String
    private var buffer: [UInt8] = []
    /// Why the last write failed; nil if no write has failed.
    private(set) var failure: OutputError?

    /// Makes a writer to a new file, which replaces an existing file, or to standard output if `path` is nil.
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

    /// Writes an object as one line, which may remain in the buffer until `flush`.
    func write(_ line: some Encodable) {
        guard let data = try? encoder.encode(line) else { return }
        buffer += data
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { flush() }
    }

    /// Writes a text unchanged, with a line feed at its end.
    func write(text: String) { buffer += Array("\(text)\n".utf8) }

    /// Writes a text unchanged, without a line feed at its end.
    func write(raw text: String) { buffer += Array(text.utf8) }

    /// Writes lines with text from other programs or from users, each as one printable line.
    func write(foreign lines: [String]) {
        for line in lines { write(text: line.printable(limit: Self.longestForeignLine)) }
    }

    /// The maximum length of a line with text from other programs or from users.
    ///
    /// Every line of trackerd is shorter; the longest of them contains the names of a hundred regions.
    private static let longestForeignLine = 30_000

    /// Writes the buffer to the file; throws an error if this or an earlier write failed.
    func finish() throws(OutputError) {
        flush()
        if let failure { throw failure }
    }

    /// Writes the buffer to the file.
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

/// The program cannot write to a file.
struct OutputError: Error, Hashable, CustomStringConvertible {
    let path: String
    let cause: String

    var description: String {
        "\(path): trackerd cannot write the output (\(cause)). Check the disk, the folder and the permissions."
    }
}
