import CLinux
import GRDB
import Glibc

enum FileSystem {
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

    static func error(_ code: ResultCode) -> DatabaseError {
        DatabaseError(resultCode: code, message: String(cString: strerror(errno)))
    }
}

/// The system keeps a deleted file until the program closes its last connection to it; until then, no data is lost.
enum DeletedFile {
    /// Returns only once the file is on stable storage; makes its folder if that is missing too.
    static func restore(_ path: String, from orphan: DatabaseQueue) throws(StoreError) {
        let part = path + ".part"
        do {
            let folder = FileSystem.folder(of: path)
            guard mkdir(folder, 0o750) == 0 || errno == EEXIST else { throw FileSystem.error(.SQLITE_CANTOPEN) }
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) }
            // First move the commits in the log into the deleted file, which may now have another name.
            _ = try? orphan.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            let copy = try DatabaseQueue(path: part)
            defer { Database.close(copy) }
            try orphan.backup(to: copy)
            try copy.close()
            // The log belongs to the deleted file; SQLite would use it as the log of the new one.
            for suffix in ["-wal", "-shm"] {
                unlink(path + suffix)
                unlink(part + suffix)
            }
            guard rename(part, path) == 0 else {
                throw FileSystem.error(.SQLITE_CANTOPEN)
            }
            FileSystem.syncFolder(of: path)
        } catch {
            throw StoreError(error, path: path, doing: .open)
        }
    }
}

/// A file with the schema of an earlier version, which this version neither reads nor changes.
enum EarlierFile {
    /// Returns the name under which the file remains.
    static func keepAside(_ path: String) throws(StoreError) -> String {
        // Move the commits into the file, because a power cut could separate it from its log.
        if let queue = try? DatabaseQueue(path: path) { Database.close(queue, emptyingLog: true) }
        let aside = FileSystem.freeName(path + ".earlier-")
        guard rename(path, aside) == 0 else {
            throw StoreError(FileSystem.error(.SQLITE_CANTOPEN), path: path, doing: .open)
        }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        FileSystem.syncFolder(of: path)
        return aside
    }
}
