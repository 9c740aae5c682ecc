import GRDB

/// Finds damage in the write-ahead log because of which SQLite would ignore later commits without an error (`LogFrames`).
enum LogCheck {
    /// Throws an error if the log contains commits that were on stable storage and that SQLite would not read.
    ///
    /// Call this function before SQLite opens the file, because the next commit overwrites the frames that SQLite has ignored. Call
    /// it only while the program has no connection to the file. When the function closes the file, the system releases all locks on
    /// the file that SQLite has in this program (fcntl(2)).
    ///
    /// A power cut during a commit also leaves frames that SQLite must ignore. The frames of a durable commit differ in this way: a
    /// later commit with a higher record number follows. The queue writes this later commit only after the earlier commit is on
    /// stable storage. The function therefore cannot detect the loss of the last commit alone.
    static func check(_ path: String) throws(StoreError) {
        guard let images = PageImages(path: path), ignoresCommits(images) else { return }
        // If another program has begun the log again in the meantime, the frames come from two generations.
        guard let again = PageImages(path: path), ignoresCommits(again) else { return }
        let message = "the write-ahead log is damaged before later commits"
        throw StoreError(DatabaseError(resultCode: .SQLITE_CORRUPT, message: message), path: path, doing: .open)
    }

    private static func ignoresCommits(_ images: borrowing PageImages) -> Bool {
        var lowest: Int64?
        for index in images.ignored where images.isIntact(index) {
            guard let number = images.image(index).flatMap({ Salvage.lastSequence(on: $0) }) else { continue }
            if let lowest, number > lowest { return true }
            lowest = min(lowest ?? number, number)
        }
        return false
    }
}
