import CLinux
import FoundationEssentials
import Glibc

package enum DamagedFile {
    static let mark = ".damaged-"

    /// Returns the names without the folder, the oldest first.
    package static func names(of path: String) -> [String] {
        // The damaged file remains beside the real file, to which `path` may be a symbolic link.
        let real = realpath(path, nil)
        defer { free(real) }
        let path = real.map { String(cString: $0) } ?? path
        return numbers(of: path).map { name(of: path) + mark + "\($0)" }
    }

    static func numbers(of path: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileSystem.folder(of: path))) ?? []
        let prefix = name(of: path) + mark
        return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
    }

    private static let mostFiles = 3
    /// Above this total size no older damaged file remains; the newest one always does.
    private static let mostBytes = 512 << 20

    /// Keeps the files in `needed`; returns the paths of the deleted files.
    static func deleteOldest(of path: String, except needed: [String]) -> [String] {
        var (files, bytes) = (0, 0)
        var deleted: [String] = []
        for file in numbers(of: path).reversed().map({ path + mark + "\($0)" }) {
            (files, bytes) = (files + 1, bytes + size(of: file) + size(of: file + "-wal"))
            guard files > 1, files > mostFiles || bytes > mostBytes, !needed.contains(file) else { continue }
            for suffix in ["-wal", "-shm", ""] { unlink(file + suffix) }
            deleted.append(file)
        }
        return deleted
    }

    private static func size(of path: String) -> Int {
        var entry = stat()
        return stat(path, &entry) == 0 ? Int(entry.st_size) : 0
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
