import GRDB
import Glibc

/// The system keeps a deleted file until the program closes its last connection to it; until then, no data is lost.
enum DeletedFile {
    /// Returns when the file is on stable storage; makes its folder too.
    static func restore(_ path: String, from orphan: DatabaseQueue) throws(StoreError) {
        let part = path + ".part"
        do {
            try makeFolder(of: path)
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

    private static func makeFolder(of path: String) throws {
        let folder = FileSystem.folder(of: path)
        guard mkdir(folder, 0o750) == 0 || errno == EEXIST else { throw FileSystem.error(.SQLITE_CANTOPEN) }
    }
}

/// A file with the schema of an earlier version, which this version neither reads nor changes.
enum EarlierFile {
    /// Returns the name under which the file remains.
    static func keepAside(_ path: String) throws(StoreError) -> String {
        // The file must contain the commits in its log, even if a power cut separates the two.
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
