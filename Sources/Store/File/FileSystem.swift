import CLinux
import Glibc

enum FileSystem {
    /// Whether the disk accepts a new file in the folder of the file.
    static func canWrite(beside path: String) -> Bool {
        let probe = path + ".probe"
        let file = Glibc.open(probe, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer {
            Glibc.close(file)
            unlink(probe)
        }
        return write(file, "x", 1) == 1 && fsync(file) == 0
    }

    /// The names of the files then survive a power cut.
    static func syncFolder(of path: String) {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
