import CZlib
import Glibc

/// A file's bytes, unpacked when it is gzipped.
enum GzipFile {
    static func read(_ path: String) throws(DriveError) -> [UInt8] {
        errno = 0
        guard let file = gzopen(path, "rb") else { throw .unreadable(file: path, cause: lastError()) }
        var isOpen = true
        defer { if isOpen { gzclose(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = gzread(file, &chunk, UInt32(chunk.count))
            guard count >= 0 else { throw .unreadable(file: path, cause: lastError()) }
            guard count > 0 else {
                isOpen = false
                // Only closing tells that the packed data ended too early.
                guard gzclose(file) == Z_OK else { throw .unreadable(file: path, cause: "it is cut off") }
                return bytes
            }
            bytes += chunk[..<Int(count)]
        }
    }

    private static func lastError() -> String { errno == 0 ? "damaged" : String(cString: strerror(errno)) }
}
