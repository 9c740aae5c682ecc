import GRDB
import Glibc

/// The size of the database's pages.
///
/// A commit writes each changed page to the write-ahead log, so a commit writes less if the pages are small. With pages of the
/// usual 4096 bytes, a commit would write eight times as many bytes as a record and its state need.
enum PageSize {
    /// The smallest size that SQLite supports, and the size of a card's sector.
    static let bytes = 512
    /// The number of pages in the log after which SQLite copies them to the file; these pages are 1 MB, or about a
    /// thousand records.
    ///
    /// SQLite copies each page only once, even if the log contains several versions of the page.
    static let checkpointedPages = 2000
    /// The size above which a file keeps its pages of 4096 bytes, because a conversion would delay the start.
    private static let largestConverted = 16 << 20

    /// Rewrites a small file of an earlier version with pages of this size; if the rewriting fails, the file does not change.
    ///
    /// Call this function only while the program has no connection to the file. When the function closes the file, the system
    /// releases all locks on the file that SQLite has in this program (fcntl(2)). If another program closed the file after
    /// that, the SQLite of that program would assume that no other program uses the file. It would then delete the log with the
    /// latest commits.
    static func convert(_ path: String) {
        guard let size = stored(in: path), size != bytes else { return }
        do {
            let queue = try DatabaseQueue(path: path)
            defer { Database.close(queue) }
            try queue.writeWithoutTransaction { database in
                // Do not change damaged files or files of a newer version. The salvage needs the log of a damaged file.
                guard try !Migrations.all.hasBeenSuperseded(database),
                    try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
                else { return }
                // SQLite cannot change the page size while a write-ahead log exists.
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" else { return }
                try database.execute(sql: "PRAGMA page_size = \(bytes)")
                try database.execute(sql: "VACUUM")
            }
        } catch {
            // The program reports this error later, when it opens the file.
        }
    }

    /// Returns the page size of a file that is small enough to convert; nil for any other file.
    ///
    /// File format: https://sqlite.org/fileformat2.html, section 1.3.
    private static func stored(in path: String) -> Int? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var entry = stat()
        var header = [UInt8](repeating: 0, count: 18)
        guard fstat(file, &entry) == 0, entry.st_size <= largestConverted, read(file, &header, 18) == 18,
            header.starts(with: Array("SQLite format 3\u{0}".utf8))
        else { return nil }
        return Int(header[16]) << 8 | Int(header[17])
    }
}
