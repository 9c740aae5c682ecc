import GRDB
import Glibc

/// A file with the schema of an earlier version, which this version neither reads nor changes.
enum EarlierFile {
    /// Keeps the file under another name, so that a new file can take its place; returns this name.
    static func keepAside(_ path: String) throws(StoreError) -> String {
        // The file under the new name must contain the commits in its log, even if a power cut separates it from the log.
        if let queue = try? DatabaseQueue(path: path) { Database.close(queue, emptyingLog: true) }
        let aside = DatabaseCopy.freeName(path + ".earlier-")
        guard rename(path, aside) == 0 else {
            throw StoreError(
                DatabaseError(resultCode: .SQLITE_CANTOPEN, message: String(cString: strerror(errno))), path: path,
                doing: .open)
        }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        FileSystem.syncFolder(of: path)
        return aside
    }
}
