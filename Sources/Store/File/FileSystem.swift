import CLinux
import GRDB
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

    /// Appends the first number from 1 that no file has.
    static func freeName(_ stem: String) -> String {
        var number = 1
        while access(stem + "\(number)", F_OK) == 0 { number += 1 }
        return stem + "\(number)"
    }

    /// The last error of the system.
    static func error(_ code: ResultCode) -> DatabaseError {
        DatabaseError(resultCode: code, message: String(cString: strerror(errno)))
    }
}
