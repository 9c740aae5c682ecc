import Glibc

enum TextFile {
    /// In bytes; a thousand regions need a few hundred kilobytes.
    static let largest = 4 << 20

    static func read(_ path: String) throws(TextFileError) -> String {
        // Without `O_NONBLOCK`, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .refused(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var entry = stat()
        guard fstat(descriptor, &entry) == 0 else { throw .refused(String(cString: strerror(errno))) }
        switch entry.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .refused("it is a folder")
        default: throw .refused("it is a device or a pipe, and not a file")
        }
        guard entry.st_size <= Int64(largest) else { throw .tooLarge }
        return try text(of: bytes(descriptor))
    }

    private static func bytes(_ descriptor: Int32) throws(TextFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw .refused(String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            // It may have grown since the check of its size.
            guard bytes.count <= largest else { throw .tooLarge }
        }
    }

    private static func text(of bytes: [UInt8]) throws(TextFileError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw .notText(line: line + 1)
    }
}

enum TextFileError: Error, Sendable, Hashable {
    case missing
    /// The system does not open it, or it is no file.
    case refused(String)
    case tooLarge
    /// The first byte that is not UTF-8 is in this line, counted from 1.
    case notText(line: Int)

    func problem(in file: String, missing remedy: String) -> ConfigurationError.Problem {
        switch self {
        case .missing: .init(file: file, line: nil, text: "trackerd cannot read the file. \(remedy)")
        case .refused(let cause):
            .init(
                file: file, line: nil,
                text:
                    "trackerd cannot read the file (\(cause)). Check the path and the permissions. Only root and trackerd may read the files in /etc/trackerd, so use `sudo` there."
            )
        case .tooLarge:
            .init(file: file, line: nil, text: "the file is larger than \(TextFile.largest >> 20) MiB. Shorten it.")
        case .notText(let line):
            .init(file: file, line: line, text: "this line is not UTF-8 text. Save the file in the encoding UTF-8.")
        }
    }
}
