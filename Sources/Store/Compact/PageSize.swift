import GRDB
import Glibc

/// The size of the database's pages.
///
/// A commit writes each page that it changes to the write-ahead log, so a commit writes less if the pages are small. With the
/// usual pages of 4096 bytes, a commit would write eight times as many bytes as a record and its state need.
enum PageSize {
    /// The smallest size that SQLite supports, and the size of a card's sector.
    static let bytes = 512
    /// The number of pages in the log after which SQLite copies them to the file: 1 MiB, about a thousand records.
    ///
    /// SQLite copies each page once, even if the log contains the page several times.
    static let checkpointedPages = 2000
    /// A larger file keeps its pages of 4096 bytes, because rewriting it would delay the start.
    private static let largestConverted = 16 << 20

    /// Rewrites a small file of an earlier version with pages of this size; if that fails, the file remains as it is.
    ///
    /// Call this only while the program has no connection to the file. When the function closes the file, the system releases all
    /// locks that SQLite in this program has on the file (fcntl(2)). If another program then closed the file, SQLite
    /// would take it for the last user and delete the log with later commits.
    static func convert(_ path: String) {
        guard let size = stored(in: path), size != bytes else { return }
        do {
            let queue = try DatabaseQueue(path: path)
            defer { Database.close(queue) }
            try queue.writeWithoutTransaction { database in
                // A damaged file remains as it is, because the salvage reads its log. A file of a newer version also remains as it
                // is.
                guard try !Migrations.all.hasBeenSuperseded(database),
                    try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
                else { return }
                // SQLite cannot change the page size while a write-ahead log exists.
                guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" else { return }
                try database.execute(sql: "PRAGMA page_size = \(bytes)")
                try database.execute(sql: "VACUUM")
            }
        } catch {
            // The program reports the fault later, when it opens the file.
        }
    }

    /// Returns the page size of a file that is small enough to convert; nil for a large, missing or empty file.
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
